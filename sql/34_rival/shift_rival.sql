-- model    shift_rival
-- grain    one row per settlement that a shift touches, or could: how many other cuts and moves of one transaction give the same nets
-- reads    shift, boundary, candidate, clocked_transaction, settlement_sequence
-- rule     R-28: a shift that another cut within the tolerance or another transaction could replace is AMBIGUOUS
-- silent   which rivals there are where several transactions move side by side: there one is assumed, for their neighbours too
with
    moves as (
        select
            shift.transaction_id,
            holder.terminal_id,
            holder.clock,
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
            moved.position as moved_position,
            opening.position as own_cut,
            opening.previous_cents - coalesce(earlier_settlement.running_cents, 0) as level_cents,
            opening.running_cents - opening_settlement.running_cents as moved_level_cents
        from
            moves
            inner join boundary as opening on opening.terminal_id = moves.terminal_id
            and opening.ordinal = moves.first_ordinal
            inner join clocked_transaction as moved on moved.transaction_id = moves.transaction_id
            and moved.clock = moves.clock
            inner join settlement_sequence as opening_settlement on opening_settlement.settlement_id = opening.settlement_id
            left join settlement_sequence as earlier_settlement on earlier_settlement.terminal_id = moves.terminal_id
            and earlier_settlement.ordinal = moves.first_ordinal - 1
        where moves.transaction_id not in (select transaction_id from crowded)
    ),
    -- Positions at the level of before and after, and those at which all cuts between could stand instead.
    level_places as (
        select
            single.transaction_id,
            candidate.ordinal,
            min(candidate.position) as low_position,
            max(candidate.position) as high_position
        from
            single
            inner join candidate on candidate.terminal_id = single.terminal_id
            and candidate.clock = single.clock
            and candidate.offset_cents = single.level_cents
        group by single.transaction_id, candidate.ordinal
    ),
    covered as (
        select
            transaction_id,
            min(ordinal) filter(where not is_level) as low_ordinal,
            max(ordinal) filter(where not is_level) as high_ordinal
        from
            (
                select
                    between_them.transaction_id,
                    between_them.ordinal,
                    level_places.ordinal is not null as is_level
                from
                    (
                        select
                            transaction_id,
                            unnest(range(first_ordinal, last_ordinal)) as ordinal
                        from single
                    ) as between_them
                    left join level_places using (transaction_id, ordinal)
            ) as places
        group by transaction_id
    ),
    other_levels as (
        select distinct
            single.transaction_id,
            single.terminal_id,
            single.clock,
            candidate.offset_cents
        from
            single
            inner join covered using (transaction_id)
            inner join candidate on candidate.terminal_id = single.terminal_id
            and candidate.clock = single.clock
            and candidate.ordinal = covered.low_ordinal
            and candidate.offset_cents <> single.level_cents
    ),
    moved_places as (
        select
            other_levels.transaction_id,
            other_levels.offset_cents,
            candidate.ordinal,
            min(candidate.position) as low_position,
            max(candidate.position) as high_position,
            count(*) as places
        from
            other_levels
            inner join single using (transaction_id)
            inner join candidate on candidate.terminal_id = other_levels.terminal_id
            and candidate.clock = other_levels.clock
            and candidate.offset_cents = other_levels.offset_cents
            and candidate.ordinal between single.first_ordinal - 10 and single.last_ordinal + 10
        group by other_levels.transaction_id, other_levels.offset_cents, candidate.ordinal
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
            single.transaction_id,
            single.terminal_id,
            single.clock,
            single.first_ordinal,
            single.last_ordinal,
            single.moved_position,
            single.own_cut,
            opening.offset_cents = single.moved_level_cents
            and opening.ordinal = single.first_ordinal
            and closing.ordinal + 1 = single.last_ordinal as is_same,
            opening.ordinal as from_ordinal,
            closing.ordinal + 1 as to_ordinal,
            opening.offset_cents - single.level_cents as moved_cents,
            opening.places,
            coalesce(before.low_position, 0) as begins_after,
            opening.high_position as cut_high,
            closing.low_position as cut_low,
            after.high_position as ends_at,
            first_one.created as first_created
        from
            runs as opening
            inner join runs as closing using (transaction_id, offset_cents, run)
            inner join single using (transaction_id)
            inner join covered using (transaction_id)
            inner join settlement_sequence as first_one on first_one.terminal_id = single.terminal_id
            and first_one.ordinal = opening.ordinal
            inner join settlement_sequence as last_one on last_one.terminal_id = single.terminal_id
            and last_one.ordinal = closing.ordinal + 1
            left join level_places as before on before.transaction_id = single.transaction_id
            and before.ordinal = opening.ordinal - 1
            inner join level_places as after on after.transaction_id = single.transaction_id
            and after.ordinal = closing.ordinal + 1
        where
            closing.ordinal >= opening.ordinal
            and opening.ordinal <= covered.low_ordinal
            and closing.ordinal >= covered.high_ordinal
            and last_one.created <= first_one.created + interval 7 days
    ),
    ways as (
        select
            spans.* exclude (terminal_id),
            spans.terminal_id,
            clocked_transaction.position as other_position
        from
            spans
            inner join clocked_transaction on clocked_transaction.terminal_id = spans.terminal_id
            and clocked_transaction.clock = spans.clock
            and clocked_transaction.signed_cents = spans.moved_cents
            and clocked_transaction.position > spans.begins_after
            and clocked_transaction.position <= spans.cut_high
        union all
        select
            spans.* exclude (terminal_id),
            spans.terminal_id,
            clocked_transaction.position
        from
            spans
            inner join clocked_transaction on clocked_transaction.terminal_id = spans.terminal_id
            and clocked_transaction.clock = spans.clock
            and clocked_transaction.signed_cents = - spans.moved_cents
            and clocked_transaction.position > spans.cut_low
            and clocked_transaction.position <= spans.ends_at
            and clocked_transaction.clock_at <= spans.first_created
    ),
    counted as (
        select
            terminal_id,
            from_ordinal as first_ordinal,
            to_ordinal as last_ordinal,
            is_same,
            -- To cut before two transactions and bring one back, or after them and take the other out, is one and the same.
            sum(places) - max(is_same::integer) - count(*) filter(
                where
                    not is_same
                    and from_ordinal = first_ordinal
                    and to_ordinal = last_ordinal
                    and last_ordinal = first_ordinal + 1
                    and abs(cut_low - own_cut) = 2
                    and abs(other_position - moved_position) = 1
                    and greatest(other_position, moved_position) = greatest(cut_low, own_cut)
            ) as rivals
        from ways
        group by terminal_id, transaction_id, from_ordinal, to_ordinal, is_same, moved_cents
        union all
        -- No transaction has to move at all.
        select
            single.terminal_id,
            single.first_ordinal,
            single.last_ordinal,
            false,
            1
        from
            single
            inner join covered using (transaction_id)
        where covered.low_ordinal is null
        union all
        select distinct
            terminal_id,
            first_ordinal - 1,
            last_ordinal + 1,
            false,
            1
        from crowded
    )
select
    boundary.settlement_id,
    sum(counted.rivals)::bigint as rival_count
from
    counted
    inner join boundary on boundary.terminal_id = counted.terminal_id
    and boundary.ordinal between counted.first_ordinal and counted.last_ordinal
where
    counted.rivals > 0
    and (not counted.is_same or boundary.ordinal in (counted.first_ordinal, counted.last_ordinal))
group by boundary.settlement_id
