-- view     settlements
-- of       results
-- grain    one row per settlement of a run's range: settlements.csv
-- silent   settlements outside of the range (reported_settlements)
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   settlementId, id: the service's id of the settlement
-- column   terminalId, id: terminal of the settlement
-- column   terminalName, text: nickName of the terminal, guarded as in the file (R-32)
-- column   merchantNumber, text: merchant number of the terminal
-- column   accountId, text: the service's id of the account that the terminal belongs to
-- column   companyDba, text: name under which the company of the terminal does business
-- column   created, instant: when it was created
-- column   businessDate, date: date of created in the account's time zone
-- column   status, word: PENDING or COMPLETE
-- column   reportedNet, money: amountNet: what the service says it comes to
-- column   computedNet, money: sum of its transactions; empty where nothing can be computed
-- column   difference, money: computedNet less reportedNet
-- column   verdict, word: TIED, EXPLAINED, BREAK, PENDING or NO_DATA
-- column   method, word: EXPLICIT_ID, OBSERVED, WINDOW, ALIGNED, MANUAL or NONE: how transactions were found (R-05)
-- column   certificate, word: UNIQUE, AMBIGUOUS or UNSOLVED: how sure its members are
-- column   transactionCount, count: transactions in it
-- column   chargeCount, count: charges in it
-- column   chargeTotal, money: sum of the charges
-- column   refundCount, count: refunds in it
-- column   refundTotal, money: sum of the refunds, positive
-- column   cutoff, instant: created of the last transaction in it
-- column   explanation, word: what explains the difference, if anything does (R-29)
-- column   explainedAmount, money: part of the difference that is explained
-- column   unexplainedAmount, money: rest of the difference
-- column   explainedBy, text: ids of the transactions that explain it, ;-separated
-- column   firstSeen, instant: when it was first observed
-- column   lastChanged, instant: when its newest differing version was observed
with
    terminal as (
        select
            chosen_run.run_id, version.terminal_id, version.merchant_number, version.account_uuid,
            version.company_dba
        from
            lake.seen.terminal_version as version
            inner join chosen_run on chosen_run.account = version.account
            and version.landing_seq <= chosen_run.known_at
        qualify
            row_number() over (
                partition by chosen_run.run_id, version.terminal_id
                order by version.landing_seq desc, version.ordinal desc
            ) = 1
    )
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."settlementId"::bigint as "settlementId",
    result."terminalId"::bigint as "terminalId",
    result."terminalName" as "terminalName",
    terminal.merchant_number as "merchantNumber",
    terminal.account_uuid as "accountId",
    terminal.company_dba as "companyDba",
    result."created"::timestamp as "created",
    result."businessDate"::date as "businessDate",
    result."status" as "status",
    result."reportedNet"::decimal(18, 2) as "reportedNet",
    result."computedNet"::decimal(18, 2) as "computedNet",
    result."difference"::decimal(18, 2) as "difference",
    result."verdict" as "verdict",
    result."method" as "method",
    result."certificate" as "certificate",
    result."transactionCount"::bigint as "transactionCount",
    result."chargeCount"::bigint as "chargeCount",
    result."chargeTotal"::decimal(18, 2) as "chargeTotal",
    result."refundCount"::bigint as "refundCount",
    result."refundTotal"::decimal(18, 2) as "refundTotal",
    result."cutoff"::timestamp as "cutoff",
    result."explanation" as "explanation",
    result."explainedAmount"::decimal(18, 2) as "explainedAmount",
    result."unexplainedAmount"::decimal(18, 2) as "unexplainedAmount",
    result."explainedBy" as "explainedBy",
    result."firstSeen"::timestamp as "firstSeen",
    result."lastChanged"::timestamp as "lastChanged"
from
    lake.result.settlements as result
    inner join chosen_run using (run_id)
    left join terminal on terminal.run_id = result.run_id
    and terminal.terminal_id = result."terminalId"::bigint
