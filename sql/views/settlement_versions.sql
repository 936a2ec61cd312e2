-- view     settlement_versions
-- of       records
-- grain    one row per observed version of a settlement that differed from the one before
-- silent   nothing
-- column   account, name: short name of the account
-- column   settlementId, id: the service's id of the settlement
-- column   terminalId, id: terminal of the record
-- column   created, instant: when it was created
-- column   version, count: 1 for the first observed version of the settlement, then 2, 3, ...
-- column   status, word: PENDING or COMPLETE, as sent
-- column   reportedNet, money: amountNet in this version
-- column   previousStatus, word: status in the version before; empty in the first
-- column   change, money: by how much amountNet differs from the version before; empty in the first
-- column   observedAt, instant: when this version was first observed
-- column   sweepId, name: sweep or import that brought this version
-- column   landingSeq, sequence: landing number of this version: it is known at this number and above
select
    account as "account",
    settlement_id as "settlementId",
    terminal_id as "terminalId",
    created as "created",
    row_number() over seen as "version",
    status as "status",
    (net_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "reportedNet",
    lag(status) over seen as "previousStatus",
    ((net_cents - lag(net_cents) over seen) * 0.01::decimal(3, 2))::decimal(18, 2) as "change",
    observed_at as "observedAt",
    sweep_id as "sweepId",
    landing_seq as "landingSeq"
from lake.seen.settlement_version
window
    seen as (
        partition by account, settlement_id
        order by landing_seq, ordinal
    )
