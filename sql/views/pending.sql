-- view     pending
-- of       results
-- grain    one row per observed version of each settlement that is or was PENDING in a run's range: pending.csv
-- silent   settlements that were COMPLETE whenever they were seen
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   settlementId, id: the service's id of the settlement
-- column   terminalId, id: terminal of the settlement
-- column   created, instant: when it was created
-- column   observedAt, instant: when this version was observed
-- column   status, word: PENDING or COMPLETE
-- column   reportedNet, money: amountNet in this version
-- column   change, money: by how much it differs from the version before; empty in the first
-- column   hoursPending, hours: whole hours from created to observedAt
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."settlementId"::bigint as "settlementId",
    result."terminalId"::bigint as "terminalId",
    result."created"::timestamp as "created",
    result."observedAt"::timestamp as "observedAt",
    result."status" as "status",
    result."reportedNet"::decimal(18, 2) as "reportedNet",
    result."change"::decimal(18, 2) as "change",
    result."hoursPending"::bigint as "hoursPending"
from lake.result.pending as result inner join chosen_run using (run_id)
