-- model    rival
-- grain    one row per settlement with boundaries: how many other sets give the same net
-- reads    boundary, cutoff_candidate, offset_run, ordered_transaction, settlement_running_net, shift
-- rule     R-09: rivals are other cut-offs within the tolerance, and sets that move or swap up to two transactions within two hours of a cut-off
-- silent   rivals of a shift, which shift_rival counts
with
    -- By what a shift moves, its two settlements are off in order of time.
    shifted_end as (
        select
            boundary.settlement_id, boundary.terminal_id, boundary.ordinal, boundary.clock,
            boundary.position,
            boundary.running_cents - settlement_running_net.running_cents as offset_cents,
            boundary.running_cents - boundary.previous_cents - settlement_running_net.sought_cents as moved_cents
        from boundary inner join settlement_running_net using (settlement_id)
        where
            (
                settlement_id in (select from_settlement_id from shift)
                or settlement_id in (select to_settlement_id from shift)
            )
            and moved_cents <> 0
    ),
    offsets as (
        -- An offset that no neighbour has would leave both neighbours off.
        select
            offset_run.settlement_id, offset_run.terminal_id, offset_run.ordinal,
            offset_run.position, offset_run.offset_cents
        from offset_run semi join boundary using (settlement_id, clock)
        where run_length >= 2
        union
        select settlement_id, terminal_id, ordinal, position, offset_cents
        from shifted_end
        union
        -- To where nothing is added up.
        select
            cutoff_candidate.settlement_id, cutoff_candidate.terminal_id, cutoff_candidate.ordinal,
            cutoff_candidate.position, cutoff_candidate.offset_cents
        from cutoff_candidate semi join shifted_end using (settlement_id, clock, offset_cents)
        union all
        select distinct
            null, terminal_id, 0, 0, 0
        from boundary
    ),
    upper_end as (
        select *, offset_cents as begins_at_cents
        from offsets
        union all
        -- With its shift.
        select offsets.*, offsets.offset_cents - shifted_end.moved_cents
        from offsets inner join shifted_end using (settlement_id)
    ),
    by_cutoff as (
        select
            upper_end.settlement_id,
            count(*) as rivals,
            -- One of its ends alone lies elsewhere, and the neighbour has the difference.
            count(*) filter(
                where
                    upper_end.position = boundary.position
                    or lower_end.position = boundary.previous_position
            ) as end_rivals
        from
            upper_end
            inner join offsets as lower_end on lower_end.terminal_id = upper_end.terminal_id
            and lower_end.ordinal = upper_end.ordinal - 1
            and lower_end.offset_cents = upper_end.begins_at_cents
            and lower_end.position <= upper_end.position
            inner join boundary on boundary.settlement_id = upper_end.settlement_id
        where
            upper_end.position <> boundary.position
            or lower_end.position <> boundary.previous_position
        group by upper_end.settlement_id
    ),
    -- The cut-off of the last one no settlement after it supports: it may as well lie elsewhere within the tolerance.
    last_end as (
        select last_boundary.settlement_id, count(*) as places
        from
            (
                from boundary
                qualify row_number() over (partition by terminal_id order by ordinal desc) = 1
            ) as last_boundary
            inner join cutoff_candidate on cutoff_candidate.settlement_id = last_boundary.settlement_id
            and cutoff_candidate.clock = last_boundary.clock
            and cutoff_candidate.position <> last_boundary.position
        group by last_boundary.settlement_id
    ),
    cuts as (
        select
            settlement_id, terminal_id, clock, previous_position, position,
            position as cut_position,
            nullif(previous_position, position) as other_position
        from boundary
        union
        select
            settlement_id, terminal_id, clock, previous_position, position, previous_position,
            nullif(position, previous_position)
        from boundary
        where previous_position > 0
    ),
    places as (
        select distinct
            terminal_id, position, cut_at
        from boundary
        where position > 0
    ),
    cut_at as (
        select
            cuts.*,
            places.cut_at, other.cut_at as other_at,
            -- Whose other cut-off is so near that it divides what is near this one, and what has no inside.
            coalesce(
                other.cut_at between places.cut_at - interval 4 hours and places.cut_at + interval 4 hours,
                false
            )
            or cuts.previous_position = cuts.position as is_short
        from
            cuts
            inner join places on places.terminal_id = cuts.terminal_id
            and places.position = cuts.cut_position
            left join places as other on other.terminal_id = cuts.terminal_id
            and other.position = cuts.other_position
    ),
    -- Of any other, all that is near lies on one side of the cut or on the other. For the settlements before and after it, ups
    -- and downs only change places, so that they are counted once for both.
    sided as (
        select
            settlement_id, terminal_id, clock, cut_position, cut_at,
            case when is_short then other_at end as other_at,
            case when is_short then previous_position else 0 end as from_position,
            case when is_short then position else cut_position end as until_position,
            min(settlement_id) over (
                partition by terminal_id, cut_position, from_position, until_position
            ) as counted_id
        from cut_at
    ),
    -- Spans of more than two hours, so that a cut meets only what is near it, however long the history.
    spanned as (
        select *, unnest(range((epoch_us(cut_at) >> 33) - 1, (epoch_us(cut_at) >> 33) + 2)) as span
        from sided
        where settlement_id = counted_id
    ),
    near as (
        select
            spanned.counted_id, spanned.cut_position,
            case
                when around.position > spanned.from_position
                and around.position <= spanned.until_position then -around.signed_cents
                else around.signed_cents
            end as change_cents,
            coalesce(
                around.clock_at >= spanned.other_at - interval 2 hours
                and around.clock_at <= spanned.other_at + interval 2 hours,
                false
            ) as is_near_both
        from
            spanned
            inner join ordered_transaction as around on around.clock = spanned.clock
            and around.terminal_id = spanned.terminal_id
            and epoch_us(around.clock_at) >> 33 = spanned.span
            and around.clock_at >= spanned.cut_at - interval 2 hours
            and around.clock_at <= spanned.cut_at + interval 2 hours
    ),
    -- Counted, not paired: of a thousand like charges each would stand beside each.
    counted as (
        select
            counted_id, cut_position,
            abs(change_cents) as cents,
            count(*) filter(where change_cents > 0) as ups,
            count(*) filter(where change_cents < 0) as downs,
            count(*) filter(where change_cents = 0) as nothings,
            count(*) filter(where is_near_both and change_cents > 0) as both_ups,
            count(*) filter(where is_near_both and change_cents < 0) as both_downs,
            count(*) filter(where is_near_both and change_cents = 0) as both_nothings
        from near
        group by counted_id, cut_position, abs(change_cents)
    ),
    -- One that goes up beside one that goes down, each of two that count nothing, and each that does so alone.
    moves as (
        select
            counted_id, cut_position,
            sum(ups * downs + nothings * (nothings + 1) // 2) as moves,
            sum(both_ups * both_downs + both_nothings * (both_nothings + 1) // 2) as both_moves
        from counted
        group by counted_id, cut_position
    ),
    -- What is near both cuts was counted at either.
    by_move as (
        select
            sided.settlement_id,
            (sum(moves.moves) - sum(moves.both_moves) // 2)::bigint as rivals
        from sided inner join moves using (counted_id, cut_position)
        group by sided.settlement_id
    )
select
    boundary.settlement_id,
    coalesce(by_cutoff.rivals, 0) + coalesce(by_move.rivals, 0) as rival_count,
    coalesce(by_cutoff.end_rivals, 0) + coalesce(last_end.places, 0) as end_rival_count
from
    boundary
    left join by_cutoff using (settlement_id)
    left join by_move using (settlement_id)
    left join last_end using (settlement_id)
