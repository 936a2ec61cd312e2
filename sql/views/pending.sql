-- view     pending
-- of       results
-- grain    one row per observed version of each settlement that is or was PENDING in a run's range: pending.csv
-- silent   settlements that were COMPLETE whenever they were seen
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."settlementId"::bigint as "settlementId", -- id: the service's id of the settlement
    result."terminalId"::bigint as "terminalId", -- id: terminal of the settlement
    result."created"::timestamp as "created", -- instant: when it was created
    result."observedAt"::timestamp as "observedAt", -- instant: when this version was observed
    result."status" as "status", -- word: PENDING or COMPLETE
    result."reportedNet"::decimal(18, 2) as "reportedNet", -- money: amountNet in this version
    result."change"::decimal(18, 2) as "change", -- money: by how much it differs from the version before; empty in the first
    result."hoursPending"::bigint as "hoursPending" -- hours: whole hours from created to observedAt
from lake.result.pending as result inner join chosen_run using (run_id)
