-- model    cutoff_before_reach
-- grain    one row per clock and settlement whose neighbours have an offset in common: its only position with that offset, before the reach
-- reads    ordered_transaction, scored_cutoff, settlement_running_net
-- rule     R-07: a settlement that was created unusually late may end before the reach, if both neighbours show where
-- silent   settlements with a supported candidate, or with several such positions
-- drop     after its last reader
with
    scored_with_neighbours as (
        select
            *,
            lag(offset_cents, 1, 0) over (in_order) as previous_cents,
            lag(position, 1, 0) over (in_order) as previous_position,
            lead(offset_cents) over (in_order) as next_cents,
            lead(position) over (in_order) as next_position
        from scored_cutoff
        window
            in_order as (
                partition by clock, terminal_id
                order by ordinal
            )
    ),
    unsupported as (
        select
            scored_with_neighbours.*,
            settlement_running_net.created,
            settlement_running_net.running_cents + previous_cents as due_cents
        from scored_with_neighbours inner join settlement_running_net using (settlement_id)
        where support < 2 and previous_cents = next_cents
    )
select
    unsupported.clock, unsupported.settlement_id, unsupported.terminal_id, unsupported.ordinal,
    any_value(ordered_transaction.position) as position,
    2 as support
from
    unsupported
    inner join ordered_transaction on ordered_transaction.clock = unsupported.clock
    and ordered_transaction.terminal_id = unsupported.terminal_id
    and ordered_transaction.position > unsupported.previous_position
    and ordered_transaction.position < unsupported.next_position
    and ordered_transaction.running_cents = unsupported.due_cents
    and ordered_transaction.clock_at < unsupported.created
    and (ordered_transaction.clock = clock_value ('created') or next_at > clock_at)
group by unsupported.clock, unsupported.settlement_id, unsupported.terminal_id, unsupported.ordinal
having count(*) = 1
