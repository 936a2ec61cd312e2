-- view     rollforward
-- of       results
-- grain    one row per terminal and business date of a run: rollforward.csv
-- silent   terminals on which nothing was ever posted
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   terminalId, id: the terminal
-- column   date, date: business date
-- column   openingUnsettled, money: captured and not settled before the day
-- column   charges, money: charges of the day
-- column   refunds, money: refunds of the day, positive
-- column   voids, money: counted before and voided on the day
-- column   settled, money: computed net of the settlements of the day
-- column   closingUnsettled, money: opening + charges - refunds - voids - settled
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."terminalId"::bigint as "terminalId",
    result."date"::date as "date",
    result."openingUnsettled"::decimal(18, 2) as "openingUnsettled",
    result."charges"::decimal(18, 2) as "charges",
    result."refunds"::decimal(18, 2) as "refunds",
    result."voids"::decimal(18, 2) as "voids",
    result."settled"::decimal(18, 2) as "settled",
    result."closingUnsettled"::decimal(18, 2) as "closingUnsettled"
from lake.result.rollforward as result inner join chosen_run using (run_id)
