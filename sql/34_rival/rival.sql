-- model    rival
-- grain    one row per settlement with boundaries: how many other sets give the same net
-- reads    boundary, island, clocked_transaction, settlement_sequence, shift
-- rule     R-09: rivals are other cut-offs within the tolerance, and sets that move or swap up to two transactions within two hours of a cut-off
-- silent   rivals of a shift, which shift_rival counts
with
    -- By what a shift moves, its two settlements are off in order of time.
    shifted_end as (
        select
            boundary.settlement_id,
            boundary.terminal_id,
            boundary.ordinal,
            boundary.clock,
            boundary.position,
            boundary.running_cents - settlement_sequence.running_cents as offset_cents,
            boundary.running_cents - boundary.previous_cents - settlement_sequence.sought_cents as moved_cents
        from
            boundary
            inner join settlement_sequence using (settlement_id)
        where
            (
                settlement_id in (select from_settlement_id from shift)
                or settlement_id in (select to_settlement_id from shift)
            )
            and moved_cents <> 0
    ),
    offsets as (
        select
            island.settlement_id,
            island.terminal_id,
            island.ordinal,
            island.position,
            island.offset_cents
        from
            island
            semi join boundary using (settlement_id, clock)
        union all
        select
            settlement_id,
            terminal_id,
            ordinal,
            position,
            offset_cents
        from
            shifted_end
            anti join island using (settlement_id, clock, position, offset_cents)
        union all
        select distinct
            null,
            terminal_id,
            0,
            0,
            0
        from boundary
    ),
    upper_end as (
        select
            *,
            offset_cents as begins_at_cents
        from offsets
        union all
        -- With its shift.
        select
            offsets.*,
            offsets.offset_cents - shifted_end.moved_cents
        from
            offsets
            inner join shifted_end using (settlement_id)
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
    cuts as (
        select
            settlement_id,
            terminal_id,
            clock,
            previous_position,
            position,
            position as cut_position
        from boundary
        union
        select
            settlement_id,
            terminal_id,
            clock,
            previous_position,
            position,
            previous_position
        from boundary
        where previous_position > 0
    ),
    places as (
        select distinct
            terminal_id,
            position,
            cut_at
        from boundary
        where position > 0
    ),
    cut_at as (
        select
            cuts.*,
            places.cut_at,
            epoch_us(places.cut_at) >> 33 as span
        from
            cuts
            inner join places on places.terminal_id = cuts.terminal_id
            and places.position = cuts.cut_position
    ),
    -- Spans of more than two hours, so that a cut meets only what is near it, however long the history.
    spanned as (
        select * replace(unnest([span - 1, span, span + 1]) as span)
        from cut_at
    ),
    near as (
        select
            spanned.settlement_id,
            spanned.cut_position,
            around.transaction_id,
            case
                when around.position > spanned.previous_position
                and around.position <= spanned.position then -around.signed_cents
                else around.signed_cents
            end as change_cents
        from
            spanned
            inner join clocked_transaction as around on around.clock = spanned.clock
            and around.terminal_id = spanned.terminal_id
            and epoch_us(around.clock_at) >> 33 = spanned.span
            and around.clock_at >= spanned.cut_at - interval 2 hours
            and around.clock_at <= spanned.cut_at + interval 2 hours
    ),
    -- One that goes up beside one that goes down; of two that count nothing each pair once.
    by_swap as (
        select
            down.settlement_id,
            count(distinct (down.transaction_id, up.transaction_id)) as rivals
        from
            near as down
            inner join near as up on up.settlement_id = down.settlement_id
            and up.cut_position = down.cut_position
            and up.change_cents = - down.change_cents
        where
            down.change_cents <= 0
            and up.change_cents >= 0
            and (down.change_cents < 0 or down.transaction_id < up.transaction_id)
        group by down.settlement_id
    ),
    -- What counts nothing can move alone.
    by_nothing as (
        select
            settlement_id,
            count(distinct transaction_id) as rivals
        from near
        where change_cents = 0
        group by settlement_id
    )
select
    boundary.settlement_id,
    coalesce(by_cutoff.rivals, 0) + coalesce(by_swap.rivals, 0) + coalesce(by_nothing.rivals, 0) as rival_count,
    coalesce(by_cutoff.end_rivals, 0) as end_rival_count
from
    boundary
    left join by_cutoff using (settlement_id)
    left join by_swap using (settlement_id)
    left join by_nothing using (settlement_id)
