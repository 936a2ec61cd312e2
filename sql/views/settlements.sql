-- view     settlements
-- of       results
-- grain    one row per settlement of a run's range: settlements.csv
-- silent   settlements outside of the range (reported_settlements)
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
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."settlementId"::bigint as "settlementId", -- id: the service's id of the settlement
    result."terminalId"::bigint as "terminalId", -- id: terminal of the settlement
    result."terminalName" as "terminalName", -- text: nickName of the terminal, guarded as in the file (R-32)
    terminal.merchant_number as "merchantNumber", -- text: merchant number of the terminal
    terminal.account_uuid as "accountId", -- text: the service's id of the account that the terminal belongs to
    terminal.company_dba as "companyDba", -- text: name under which the company of the terminal does business
    result."created"::timestamp as "created", -- instant: when it was created
    result."businessDate"::date as "businessDate", -- date: date of created in the account's time zone
    result."status" as "status", -- word: PENDING or COMPLETE
    result."reportedNet"::decimal(18, 2) as "reportedNet", -- money: amountNet: what the service says it comes to
    result."computedNet"::decimal(18, 2) as "computedNet", -- money: sum of its transactions; empty where nothing can be computed
    result."difference"::decimal(18, 2) as "difference", -- money: computedNet less reportedNet
    result."verdict" as "verdict", -- word: TIED, EXPLAINED, BREAK, PENDING or NO_DATA
    result."method" as "method", -- word: EXPLICIT_ID, OBSERVED, WINDOW, ALIGNED, MANUAL or NONE: how transactions were found (R-05)
    result."certificate" as "certificate", -- word: UNIQUE, AMBIGUOUS or UNSOLVED: how sure its members are
    result."transactionCount"::bigint as "transactionCount", -- count: transactions in it
    result."chargeCount"::bigint as "chargeCount", -- count: charges in it
    result."chargeTotal"::decimal(18, 2) as "chargeTotal", -- money: sum of the charges
    result."refundCount"::bigint as "refundCount", -- count: refunds in it
    result."refundTotal"::decimal(18, 2) as "refundTotal", -- money: sum of the refunds, positive
    result."cutoff"::timestamp as "cutoff", -- instant: created of the last transaction in it
    result."explanation" as "explanation", -- word: what explains the difference, if anything does (R-29)
    result."explainedAmount"::decimal(18, 2) as "explainedAmount", -- money: part of the difference that is explained
    result."unexplainedAmount"::decimal(18, 2) as "unexplainedAmount", -- money: rest of the difference
    result."explainedBy" as "explainedBy", -- text: ids of the transactions that explain it, ;-separated
    result."firstSeen"::timestamp as "firstSeen", -- instant: when it was first observed
    result."lastChanged"::timestamp as "lastChanged" -- instant: when its newest differing version was observed
from
    lake.result.settlements as result
    inner join chosen_run using (run_id)
    left join terminal on terminal.run_id = result.run_id
    and terminal.terminal_id = result."terminalId"::bigint
