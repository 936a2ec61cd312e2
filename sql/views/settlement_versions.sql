-- view     settlement_versions
-- of       records
-- grain    one row per observed version of a settlement that differed from the one before
-- silent   nothing
select
    account as "account", -- name: short name of the account
    settlement_id as "settlementId", -- id: the service's id of the settlement
    terminal_id as "terminalId", -- id: terminal of the record
    created as "created", -- instant: when it was created
    row_number() over seen as "version", -- count: 1 for the first observed version of the settlement, then 2, 3, ...
    status as "status", -- word: PENDING or COMPLETE, as sent
    (net_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "reportedNet", -- money: amountNet in this version
    lag(status) over seen as "previousStatus", -- word: status in the version before; empty in the first
    ((net_cents - lag(net_cents) over seen) * 0.01::decimal(3, 2))::decimal(18, 2) as "change", -- money: by how much amountNet differs from the version before; empty in the first
    observed_at as "observedAt", -- instant: when this version was first observed
    sweep_id as "sweepId", -- name: sweep or import that brought this version
    landing_seq as "landingSeq" -- sequence: landing number of this version: it is known at this number and above
from lake.seen.settlement_version
window
    seen as (
        partition by account, settlement_id
        order by landing_seq, ordinal
    )
