-- model    shift_alternative_range
-- grain    one row per shift and range of settlements between which its transaction or another could move
-- reads    adjacent_shift_range, boundary, inner_offset_run, outer_offset_range, settlement_running_net, shift_interval, shifted_cutoff, single_shift
-- rule     R-28: a shift that another cut-off within the cut-off window or another transaction could replace is AMBIGUOUS
-- silent   the transactions that could move instead, which shift_rival finds
with
    -- A transaction moves from the first settlement to the last, or back. The cut-offs in between have the inner offset.
    moving_range as (
        select
            single_shift.transaction_id, single_shift.terminal_id, single_shift.clock,
            single_shift.first_ordinal, single_shift.last_ordinal, single_shift.moved_position,
            single_shift.own_cut,
            first_run.offset_cents = single_shift.inner_offset_cents
            and first_run.ordinal = single_shift.first_ordinal
            and last_run.ordinal + 1 = single_shift.last_ordinal as is_same,
            first_run.ordinal as from_ordinal,
            last_run.ordinal + 1 as to_ordinal,
            first_run.offset_cents - single_shift.outer_offset_cents as moved_cents,
            first_run.positions,
            -- If the settlement before has no cut-off with the outer offset, its end stays as it is.
            coalesce(range_before.low_position, boundary_before.position, 0) as begins_after,
            first_run.high_position as cut_high, last_run.low_position as cut_low,
            range_after.high_position as ends_at, first_settlement.created as first_created
        from
            inner_offset_run as first_run
            inner join inner_offset_run as last_run using (transaction_id, offset_cents, run)
            inner join single_shift using (transaction_id)
            inner join shifted_cutoff using (transaction_id)
            inner join settlement_running_net as first_settlement on first_settlement.terminal_id = single_shift.terminal_id
            and first_settlement.ordinal = first_run.ordinal
            inner join settlement_running_net as last_settlement on last_settlement.terminal_id = single_shift.terminal_id
            and last_settlement.ordinal = last_run.ordinal + 1
            left join outer_offset_range as range_before on range_before.transaction_id = single_shift.transaction_id
            and range_before.ordinal = first_run.ordinal - 1
            left join boundary as boundary_before on boundary_before.terminal_id = single_shift.terminal_id
            and boundary_before.ordinal = first_run.ordinal - 1
            inner join outer_offset_range as range_after on range_after.transaction_id = single_shift.transaction_id
            and range_after.ordinal = last_run.ordinal + 1
        where
            last_run.ordinal >= first_run.ordinal
            and first_run.ordinal <= shifted_cutoff.low_ordinal
            and last_run.ordinal >= shifted_cutoff.high_ordinal
            and last_settlement.created <= first_settlement.created + shift_distance ()
    )
select
    transaction_id, terminal_id, clock,
    'MOVED' as kind,
    first_ordinal, last_ordinal, moved_position, own_cut, is_same, from_ordinal, to_ordinal,
    moved_cents, positions, begins_after, cut_high, cut_low, ends_at, first_created
from moving_range
union all by name
-- With other cut-offs nothing has to move.
select
    single_shift.transaction_id, single_shift.terminal_id,
    'STILL' as kind,
    single_shift.first_ordinal as from_ordinal, single_shift.last_ordinal as to_ordinal
from single_shift inner join shifted_cutoff using (transaction_id)
where shifted_cutoff.low_ordinal is null
union all by name
select distinct
    transaction_id, terminal_id,
    'CROWDED' as kind,
    first_ordinal - 1 as from_ordinal,
    last_ordinal + 1 as to_ordinal
from shift_interval
where is_beside_other
union all by name
select *, 'CROWDED' as kind
from adjacent_shift_range
