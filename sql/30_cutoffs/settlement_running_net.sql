-- model    settlement_running_net
-- grain    one row per settlement, in the order of its terminal
-- reads    current_transaction, known_settlement, manual_member, observed_member
-- rule     R-07: the running sum of reported nets, less the transactions that a person, an id or an observation already places
-- silent   nothing; a net that can't be read counts as zero
-- drop     after its last reader
with
    placed_transaction as (
        select explicit_settlement_id as settlement_id, signed_cents
        from current_transaction
        where
            settled
            and explicit_settlement_id is not null
            and transaction_id not in (select transaction_id from manual_member)
        union all
        select settlement_id, signed_cents
        from observed_member
        union all
        select settlement_id, signed_cents
        from manual_member
        where settlement_id is not null
    ),
    placed_sum as (
        select settlement_id, sum(signed_cents)::bigint as placed_cents
        from placed_transaction
        group by settlement_id
    )
select
    settlement_id, terminal_id, ordinal, created, status, reported_cents,
    coalesce(reported_cents, 0) - coalesce(placed_cents, 0) as remaining_cents,
    (
        sum(coalesce(reported_cents, 0) - coalesce(placed_cents, 0)) over (
            partition by terminal_id
            order by ordinal rows unbounded preceding
        )
    )::bigint as running_cents
from known_settlement left join placed_sum using (settlement_id)
