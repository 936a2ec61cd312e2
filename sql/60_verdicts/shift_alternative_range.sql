-- model    shift_alternative_range
-- grain    one row per moved transaction and stretch of settlements between which it or another could move, at one level of the cuts between
-- reads    boundary, cutoff_candidate, ordered_transaction, settlement_running_net, shift
-- rule     R-28: a shift that another cut within the tolerance or another transaction could replace is AMBIGUOUS
-- silent   which transaction could move instead, which shift_rival finds
with
    moves as (
        select
            shift.transaction_id, holder.terminal_id, holder.clock,
            least(holder.ordinal, target.ordinal) as first_ordinal,
            greatest(holder.ordinal, target.ordinal) as last_ordinal
        from
            shift
            inner join boundary as holder on holder.settlement_id = shift.from_settlement_id
            inner join boundary as target on target.settlement_id = shift.to_settlement_id
    ),
    crowded as (
        select distinct
            one.*
        from
            moves as one
            inner join moves as other on other.terminal_id = one.terminal_id
            and other.transaction_id <> one.transaction_id
            and other.first_ordinal <= one.last_ordinal + 1
            and other.last_ordinal >= one.first_ordinal - 1
    ),
    -- Between the two settlements every cut is off by what was moved, before and after by nothing.
    single as (
        select
            moves.*,
            moved.position as moved_position, opening.position as own_cut,
            opening.previous_cents - coalesce(earlier_settlement.running_cents, 0) as level_cents,
            opening.running_cents - opening_settlement.running_cents as moved_level_cents
        from
            moves
            inner join boundary as opening on opening.terminal_id = moves.terminal_id
            and opening.ordinal = moves.first_ordinal
            inner join ordered_transaction as moved on moved.transaction_id = moves.transaction_id
            and moved.clock = moves.clock
            inner join settlement_running_net as opening_settlement on opening_settlement.settlement_id = opening.settlement_id
            left join settlement_running_net as earlier_settlement on earlier_settlement.terminal_id = moves.terminal_id
            and earlier_settlement.ordinal = moves.first_ordinal - 1
        where moves.transaction_id not in (select transaction_id from crowded)
    ),
    -- Positions at the level of before and after, and those at which all cuts between could stand instead.
    level_places as (
        select
            single.transaction_id, cutoff_candidate.ordinal,
            min(cutoff_candidate.position) as low_position,
            max(cutoff_candidate.position) as high_position
        from
            single
            inner join cutoff_candidate on cutoff_candidate.terminal_id = single.terminal_id
            and cutoff_candidate.clock = single.clock
            and cutoff_candidate.offset_cents = single.level_cents
        group by single.transaction_id, cutoff_candidate.ordinal
    ),
    covered as (
        select
            transaction_id,
            min(ordinal) filter(where not is_level) as low_ordinal,
            max(ordinal) filter(where not is_level) as high_ordinal
        from
            (
                select
                    between_them.transaction_id, between_them.ordinal,
                    level_places.ordinal is not null as is_level
                from
                    (
                        select transaction_id, unnest(range(first_ordinal, last_ordinal)) as ordinal
                        from single
                    ) as between_them
                    left join level_places using (transaction_id, ordinal)
            ) as places
        group by transaction_id
    ),
    other_levels as (
        select distinct
            single.transaction_id, single.terminal_id, single.clock, cutoff_candidate.offset_cents
        from
            single
            inner join covered using (transaction_id)
            inner join cutoff_candidate on cutoff_candidate.terminal_id = single.terminal_id
            and cutoff_candidate.clock = single.clock
            and cutoff_candidate.ordinal = covered.low_ordinal
            and cutoff_candidate.offset_cents <> single.level_cents
    ),
    moved_places as (
        select
            other_levels.transaction_id, other_levels.offset_cents, cutoff_candidate.ordinal,
            min(cutoff_candidate.position) as low_position,
            max(cutoff_candidate.position) as high_position,
            count(*) as places
        from
            other_levels
            inner join single using (transaction_id)
            inner join cutoff_candidate on cutoff_candidate.terminal_id = other_levels.terminal_id
            and cutoff_candidate.clock = other_levels.clock
            and cutoff_candidate.offset_cents = other_levels.offset_cents
            and cutoff_candidate.ordinal between single.first_ordinal - 10 and single.last_ordinal + 10
        group by other_levels.transaction_id, other_levels.offset_cents, cutoff_candidate.ordinal
    ),
    runs as (
        select
            *,
            ordinal - row_number() over (
                partition by transaction_id, offset_cents
                order by ordinal
            ) as run
        from moved_places
    ),
    -- One transaction goes from the first settlement to the last, or back; the cuts between stand at the other level.
    spans as (
        select
            single.transaction_id, single.terminal_id, single.clock, single.first_ordinal,
            single.last_ordinal, single.moved_position, single.own_cut,
            opening.offset_cents = single.moved_level_cents
            and opening.ordinal = single.first_ordinal
            and closing.ordinal + 1 = single.last_ordinal as is_same,
            opening.ordinal as from_ordinal,
            closing.ordinal + 1 as to_ordinal,
            opening.offset_cents - single.level_cents as moved_cents,
            opening.places,
            -- The one before may be at no level of these: it ends where it ends.
            coalesce(before.low_position, earlier.position, 0) as begins_after,
            opening.high_position as cut_high, closing.low_position as cut_low,
            after.high_position as ends_at, first_one.created as first_created
        from
            runs as opening
            inner join runs as closing using (transaction_id, offset_cents, run)
            inner join single using (transaction_id)
            inner join covered using (transaction_id)
            inner join settlement_running_net as first_one on first_one.terminal_id = single.terminal_id
            and first_one.ordinal = opening.ordinal
            inner join settlement_running_net as last_one on last_one.terminal_id = single.terminal_id
            and last_one.ordinal = closing.ordinal + 1
            left join level_places as before on before.transaction_id = single.transaction_id
            and before.ordinal = opening.ordinal - 1
            left join boundary as earlier on earlier.terminal_id = single.terminal_id
            and earlier.ordinal = opening.ordinal - 1
            inner join level_places as after on after.transaction_id = single.transaction_id
            and after.ordinal = closing.ordinal + 1
        where
            closing.ordinal >= opening.ordinal
            and opening.ordinal <= covered.low_ordinal
            and closing.ordinal >= covered.high_ordinal
            and last_one.created <= first_one.created + interval 7 days
    )
select
    transaction_id, terminal_id, clock,
    'MOVED' as kind,
    first_ordinal, last_ordinal, moved_position, own_cut, is_same, from_ordinal, to_ordinal,
    moved_cents, places, begins_after, cut_high, cut_low, ends_at, first_created
from spans
union all
by name
-- No transaction has to move at all.
select
    single.transaction_id, single.terminal_id,
    'STILL' as kind,
    single.first_ordinal as from_ordinal, single.last_ordinal as to_ordinal
from single inner join covered using (transaction_id)
where covered.low_ordinal is null
union all
by name
select
    transaction_id, terminal_id,
    'CROWDED' as kind,
    first_ordinal - 1 as from_ordinal,
    last_ordinal + 1 as to_ordinal
from crowded
