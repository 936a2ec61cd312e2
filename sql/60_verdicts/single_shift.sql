-- model    single_shift
-- grain    one row per shift with no other beside it: the offsets of the cut-offs outside and inside its interval
-- reads    boundary, ordered_transaction, settlement_running_net, shift_interval
-- rule     R-28: before and after a shift its terminal has one offset; in between, one that differs by the amount that moves
-- silent   shifts side by side
select
    shift_interval.* exclude (is_beside_other),
    moved.position as moved_position, first_boundary.position as own_cut,
    first_boundary.previous_cents - coalesce(earlier_settlement.running_cents, 0) as outer_offset_cents,
    first_boundary.running_cents - first_settlement.running_cents as inner_offset_cents
from
    shift_interval
    inner join boundary as first_boundary on first_boundary.terminal_id = shift_interval.terminal_id
    and first_boundary.ordinal = shift_interval.first_ordinal
    inner join ordered_transaction as moved on moved.transaction_id = shift_interval.transaction_id
    and moved.clock = shift_interval.clock
    inner join settlement_running_net as first_settlement on first_settlement.settlement_id = first_boundary.settlement_id
    left join settlement_running_net as earlier_settlement on earlier_settlement.terminal_id = shift_interval.terminal_id
    and earlier_settlement.ordinal = shift_interval.first_ordinal - 1
where not shift_interval.is_beside_other
