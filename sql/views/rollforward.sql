-- view     rollforward
-- of       results
-- grain    one row per terminal and business date of a run: rollforward.csv
-- silent   terminals on which nothing was ever posted
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."terminalId"::bigint as "terminalId", -- id: the terminal
    result."date"::date as "date", -- date: business date
    result."openingUnsettled"::decimal(18, 2) as "openingUnsettled", -- money: captured and not settled before the day
    result."charges"::decimal(18, 2) as "charges", -- money: charges of the day
    result."refunds"::decimal(18, 2) as "refunds", -- money: refunds of the day, positive
    result."voids"::decimal(18, 2) as "voids", -- money: counted before and voided on the day
    result."settled"::decimal(18, 2) as "settled", -- money: computed net of the settlements of the day
    result."closingUnsettled"::decimal(18, 2) as "closingUnsettled" -- money: opening + charges - refunds - voids - settled
from lake.result.rollforward as result inner join chosen_run using (run_id)
