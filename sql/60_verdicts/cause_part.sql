-- model    cause_part
-- grain    one row per settlement without a single cause and transaction that may be in an explaining set, with its effect on the net
-- reads    attribution, single_cause, unattributed_transaction, unexplained_settlement
-- rule     R-29: members left out and other transactions counted, within the settlement's time and three days around
-- silent   transactions of no amount
-- drop     after its last reader
with
    open_settlement as (
        select
            settlement_id, terminal_id, difference_cents,
            begins_at - cause_distance () as begins_at,
            ends_at + cause_distance () as ends_at
        from unexplained_settlement
        where
            not exists (
                from single_cause
                where
                    single_cause.settlement_id = unexplained_settlement.settlement_id
                    and single_cause.effect_cents = unexplained_settlement.difference_cents
            )
    ),
    -- Materialized, so that all attributions are joined with these few settlements only.
    member as materialized (
        select
            attribution.transaction_id, attribution.signed_cents, open_settlement.settlement_id,
            open_settlement.difference_cents
        from attribution inner join open_settlement using (settlement_id)
    )
select settlement_id, difference_cents, transaction_id, signed_cents as effect_cents
from member
where signed_cents <> 0
union all
select
    open_settlement.settlement_id, open_settlement.difference_cents,
    unattributed_transaction.transaction_id,
    - unattributed_transaction.signed_cents
from
    open_settlement
    inner join unattributed_transaction on unattributed_transaction.terminal_id = open_settlement.terminal_id
    and unattributed_transaction.clock_at > open_settlement.begins_at
    and unattributed_transaction.clock_at <= open_settlement.ends_at
where unattributed_transaction.signed_cents <> 0
