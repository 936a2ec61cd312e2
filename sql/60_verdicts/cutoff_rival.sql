-- model    cutoff_rival
-- grain    one row per settlement with other pairs of cut-offs that give the same net: how many
-- reads    boundary, cutoff_candidate, offset_run, settlement_running_net, shift
-- rule     R-09: rivals are other cut-offs within the reach with which a neighbour still ties
-- silent   rivals of a shift, which shift_rival counts
-- drop     after its last reader
with
    -- The cut-offs of settlements with a shift: in order of time their transactions do not add up to their nets.
    shifted_boundary as (
        select
            boundary.settlement_id, boundary.terminal_id, boundary.ordinal, boundary.clock,
            boundary.position,
            boundary.running_cents - settlement_running_net.running_cents as offset_cents,
            boundary.running_cents - boundary.previous_cents - settlement_running_net.remaining_cents as moved_cents
        from boundary inner join settlement_running_net using (settlement_id)
        where
            (
                settlement_id in (select from_settlement_id from shift)
                or settlement_id in (select to_settlement_id from shift)
            )
            and moved_cents <> 0
    ),
    possible_cutoff as (
        -- Offsets that no neighbour shares are left out: with them neither neighbour would tie.
        select
            offset_run.settlement_id, offset_run.terminal_id, offset_run.ordinal,
            offset_run.position, offset_run.offset_cents
        from offset_run semi join boundary using (settlement_id, clock)
        where run_length >= 2
        union
        select settlement_id, terminal_id, ordinal, position, offset_cents
        from shifted_boundary
        union
        -- Other positions with the same offset: the transactions in between add up to zero.
        select
            cutoff_candidate.settlement_id, cutoff_candidate.terminal_id, cutoff_candidate.ordinal,
            cutoff_candidate.position, cutoff_candidate.offset_cents
        from cutoff_candidate semi join shifted_boundary using (settlement_id, clock, offset_cents)
        union all
        select distinct null, terminal_id, 0, 0, 0
        from boundary
    ),
    upper_cutoff as (
        select *, 0 as moved_cents
        from possible_cutoff
        union all
        -- The same cut-off with the shift of its settlement.
        select possible_cutoff.*, shifted_boundary.moved_cents
        from possible_cutoff inner join shifted_boundary using (settlement_id)
    ),
    count_by_settlement as (
        select
            upper_cutoff.settlement_id,
            -- Pairs that move only one of the two cut-offs. The neighbour on that side gets the difference.
            count(*) filter(where upper_cutoff.position = boundary.position) as other_beginnings,
            count(*) filter(where lower_cutoff.position = boundary.previous_position) as other_ends,
            count(*) - other_beginnings - other_ends as other_pairs
        from
            upper_cutoff
            inner join possible_cutoff as lower_cutoff on lower_cutoff.terminal_id = upper_cutoff.terminal_id
            and lower_cutoff.ordinal = upper_cutoff.ordinal - 1
            and gives_same_net (lower_cutoff.offset_cents, upper_cutoff.offset_cents, upper_cutoff.moved_cents)
            and lower_cutoff.position <= upper_cutoff.position
            inner join boundary on boundary.settlement_id = upper_cutoff.settlement_id
        where
            upper_cutoff.position <> boundary.position
            or lower_cutoff.position <> boundary.previous_position
        group by upper_cutoff.settlement_id
    )
from count_by_settlement
