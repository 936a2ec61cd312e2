-- model    pending_start
-- grain    one row per PENDING settlement: its begin among the unsettled captures, and the running sum of what the nets lack without settled members
-- reads    boundary, chosen_clock, current_settlement, current_transaction, enum_value, settled_member, unplaced_capture, unsettled_capture, usual_lag
-- rule     R-11: PENDING settlements follow the last COMPLETE one before them, and each other
-- silent   nothing
with
    expected_lag as (
        select settlement_id, lag_s
        from
            current_settlement
            inner join chosen_clock using (terminal_id)
            inner join usual_lag using (clock, settlement_id)
    ),
    -- Settlements without a boundary: ids and observations place all transactions of their terminal. Their last transaction
    -- stands for a cut-off.
    placed_end as (
        select settlement_id, max(created) as last_at
        from
            settled_member
            semi join (
                from current_settlement anti join boundary using (settlement_id)
                where status = 'COMPLETE'
            ) as unbounded_settlement using (settlement_id)
        group by settlement_id
    ),
    settlement as (
        select
            current_settlement.*,
            current_settlement.created - to_microseconds((coalesce(expected_lag.lag_s, 0) * 1000000)::bigint) as expected_at,
            last_value(
                case
                    when current_settlement.status = 'COMPLETE' then coalesce(boundary.cut_instant, placed_end.last_at)
                end ignore nulls
            ) over (
                partition by current_settlement.terminal_id
                order by current_settlement.ordinal rows between unbounded preceding and 1 preceding
            ) as base_at,
            count(*) filter(where current_settlement.status = 'COMPLETE') over (
                partition by current_settlement.terminal_id
                order by current_settlement.ordinal rows unbounded preceding
            ) as complete_before
        from
            current_settlement
            left join boundary using (settlement_id)
            left join placed_end using (settlement_id)
            left join expected_lag on expected_lag.settlement_id = current_settlement.settlement_id
    ),
    -- Settled members and transactions that name the settlement are in it. Arithmetic looks only for the rest of its net.
    settled_sum as (
        select
            settled_member.settlement_id,
            sum(current_transaction.signed_cents)::bigint as settled_cents
        from
            settled_member
            semi join (
                from current_settlement
                where status <> 'COMPLETE'
            ) as pending_settlement using (settlement_id)
            inner join current_transaction using (transaction_id)
        where current_transaction.approved and current_transaction.status = 'CAPTURE'::enum_value
        group by settled_member.settlement_id
    ),
    named_sum as (
        select named_id as settlement_id, sum(signed_cents)::bigint as named_cents
        from unsettled_capture
        where named_id is not null
        group by named_id
    ),
    -- The running sum of successive PENDING settlements starts after the last COMPLETE one before them.
    pending as (
        select
            settlement.*,
            coalesce(settled_cents = reported_cents, false) as settled_ties,
            coalesce(settled_cents, named_cents) is not null
            and reported_cents = coalesce(settled_cents, 0) + coalesce(named_cents, 0) as is_reached,
            (
                sum(reported_cents - coalesce(settled_cents, 0) - coalesce(named_cents, 0)) over (
                    partition by terminal_id, complete_before
                    order by ordinal rows unbounded preceding
                )
            )::bigint as remaining_cents
        from
            settlement
            left join settled_sum using (settlement_id)
            left join named_sum using (settlement_id)
        where status <> 'COMPLETE'
    )
select
    pending.settlement_id, pending.terminal_id, pending.ordinal, pending.created,
    pending.expected_at, pending.settled_ties, pending.is_reached, pending.remaining_cents,
    coalesce(base.position, 0) as base_position,
    coalesce(base.running_cents, 0) as base_cents
from
    pending
    asof left join unplaced_capture as base on base.terminal_id = pending.terminal_id
    and base.clock_at <= coalesce(pending.base_at, timestamp '0001-01-01')
