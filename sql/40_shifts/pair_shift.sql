-- model    pair_shift
-- grain    one row per transaction, up to three for each pair of settlements whose differences cancel
-- reads    cutoff_candidate, cutoff_difference, late_captured_transaction, late_settled_transaction, observed_candidate, ordered_transaction
-- rule     R-28: two settlements of a terminal within seven days whose differences cancel, and one transaction of that amount, shift a cut-off
-- silent   differences that cancel without such a transaction; what was seen to turn settled for another settlement (R-05)
with recursive
    pairs as (
        select
            earlier.clock, earlier.terminal_id, earlier.settlement_id as earlier_id,
            later.settlement_id as later_id, earlier.gap_cents,
            earlier.previous_position as begins_after, earlier.position as cut_position,
            earlier.running_cents as cut_cents, later.previous_position as later_begins_after,
            later.position as ends_at,
            later.ordinal = earlier.ordinal + 1 as is_next,
            earlier.created as earlier_created, earlier.lag_s, earlier.spread_s,
            later.ordinal - earlier.ordinal as apart
        from
            cutoff_difference as earlier
            inner join cutoff_difference as later on later.terminal_id = earlier.terminal_id
            and later.gap_cents = - earlier.gap_cents
            and later.ordinal > earlier.ordinal
            and later.created <= earlier.created + interval 7 days
    ),
    mutual as (
        select *
        from pairs
        qualify
            row_number() over (partition by earlier_id order by apart) = 1
            and row_number() over (partition by later_id order by apart) = 1
    ),
    -- A difference is cancelled once: of pairs in a row of which each shares a settlement with the next, every second one.
    chained as (
        select earlier_id, later_id, 1 as step
        from mutual
        where earlier_id not in (select later_id from mutual)
        union all
        select following.earlier_id, following.later_id, chained.step + 1
        from chained inner join mutual as following on following.earlier_id = chained.later_id
    ),
    nearest as (
        select
            mutual.*,
            -- The others would do as well.
            mutual.earlier_id in (select later_id from mutual)
            or mutual.later_id in (select earlier_id from mutual) as is_one_of_some
        from mutual semi join (from chained where step % 2 = 1) as taken using (earlier_id)
    ),
    -- As it is; and between next neighbours, where no run supports the cut itself, at any other place within the tolerance.
    cuts as (
        select
            nearest.*,
            cut_position as new_cut_position, gap_cents as moved_cents, 0 as deviation_s,
            true as is_near
        from nearest
        union all
        select
            nearest.*,
            cutoff_candidate.position,
            nearest.gap_cents + cutoff_candidate.transactions_cents - nearest.cut_cents,
            greatest(
                0,
                cutoff_candidate.lag_low_s - nearest.lag_s,
                nearest.lag_s - cutoff_candidate.lag_high_s
            ) as away_s,
            away_s <= 2 * nearest.spread_s
        from
            nearest
            inner join cutoff_candidate on cutoff_candidate.settlement_id = nearest.earlier_id
            and cutoff_candidate.clock = nearest.clock
            and cutoff_candidate.position > nearest.begins_after
            and cutoff_candidate.position <= nearest.ends_at
            and cutoff_candidate.position <> nearest.cut_position
        where nearest.is_next
    ),
    -- Captured or settled late by what was seen. Few are eight at most; where there are more, those that were seen before they were captured.
    late as (
        select
            nearest.earlier_id, nearest.later_id, tardy.transaction_id, tardy.position,
            tardy.signed_cents,
            bool_or(tardy.is_held) as was_held,
            bool_or(not tardy.is_held) as was_late,
            count(*) over (partition by nearest.earlier_id) <= 8
            or (
                was_held
                and count(*) filter(where was_held) over (partition by nearest.earlier_id) <= 8
            ) as is_few
        from
            nearest
            inner join (
                select *, false as is_held
                from late_settled_transaction
                union all
                select *, true
                from late_captured_transaction
            ) as tardy on tardy.clock = nearest.clock
            and tardy.terminal_id = nearest.terminal_id
            and tardy.position > nearest.begins_after
            and tardy.position <= nearest.ends_at
        group by
            nearest.earlier_id, nearest.later_id, tardy.transaction_id, tardy.position,
            tardy.signed_cents
    ),
    found as (
        select
            cuts.earlier_id, cuts.later_id, cuts.new_cut_position,
            ordered_transaction.transaction_id, cuts.later_id as to_settlement_id, cuts.deviation_s,
            cuts.new_cut_position - ordered_transaction.position as distance
        from
            cuts
            inner join ordered_transaction on ordered_transaction.clock = cuts.clock
            and ordered_transaction.terminal_id = cuts.terminal_id
            and ordered_transaction.signed_cents = cuts.moved_cents
            and ordered_transaction.position > cuts.begins_after
            and ordered_transaction.position <= cuts.new_cut_position
        where cuts.is_near and cuts.moved_cents <> 0
        union all
        -- Of those that were seen to turn late there are few: with them a cut may lie anywhere.
        select
            cuts.earlier_id, cuts.later_id, cuts.new_cut_position, late.transaction_id,
            cuts.later_id, cuts.deviation_s,
            cuts.new_cut_position - late.position
        from
            cuts
            inner join late on late.earlier_id = cuts.earlier_id
            and late.signed_cents = cuts.moved_cents
            and late.position <= cuts.new_cut_position
        where not cuts.is_near and cuts.moved_cents <> 0 and (late.was_late or late.is_few)
        union all
        -- Settled early: it stands after the cut, but not after its settlement was made.
        select
            nearest.earlier_id, nearest.later_id, nearest.cut_position,
            ordered_transaction.transaction_id, nearest.earlier_id, 0,
            ordered_transaction.position - nearest.cut_position
        from
            nearest
            inner join ordered_transaction on ordered_transaction.clock = nearest.clock
            and ordered_transaction.terminal_id = nearest.terminal_id
            and ordered_transaction.signed_cents = - nearest.gap_cents
            and ordered_transaction.position > nearest.later_begins_after
            and ordered_transaction.position <= nearest.ends_at
            and ordered_transaction.clock_at <= nearest.earlier_created + clock_skew ()
    ),
    -- Of what was seen to turn settled, where it may be.
    seen as (
        select transaction_id, settlement_id
        from observed_candidate
        where
            transaction_id in (
                select transaction_id
                from found
                union
                select transaction_id
                from late
            )
    ),
    barred as (
        select distinct
            transaction_id, to_settlement_id
        from
            (
                select transaction_id, to_settlement_id
                from found
                union all
                select transaction_id, later_id
                from late
            ) as asked
            semi join seen using (transaction_id)
            anti join seen on seen.transaction_id = asked.transaction_id
            and seen.settlement_id = asked.to_settlement_id
    ),
    options as (
        from found anti join barred using (transaction_id, to_settlement_id)
    ),
    one as (
        select
            earlier_id, later_id, new_cut_position,
            [transaction_id] as transaction_ids,
            to_settlement_id,
            count(*) over (partition by earlier_id) as options
        from options
        qualify
            row_number() over (
                partition by earlier_id
                order by deviation_s, distance, transaction_id
            ) = 1
    ),
    few as (
        select earlier_id, transaction_id, position, signed_cents
        from late
        where
            is_few
            and (transaction_id, later_id) not in (
                select (transaction_id, to_settlement_id)
                from barred
            )
    ),
    -- Two or three of these together, with a cut near the usual lag.
    late_twos as (
        select
            one.earlier_id,
            [one.transaction_id, other.transaction_id] as transaction_ids,
            one.signed_cents + other.signed_cents as signed_cents,
            other.position
        from
            few as one
            inner join few as other on other.earlier_id = one.earlier_id
            and other.position > one.position
    ),
    late_sets as (
        from late_twos
        union all
        select
            late_twos.earlier_id,
            list_append(transaction_ids, few.transaction_id),
            late_twos.signed_cents + few.signed_cents,
            few.position
        from
            late_twos
            inner join few on few.earlier_id = late_twos.earlier_id
            and few.position > late_twos.position
    ),
    late_ones as (
        select
            cuts.earlier_id, cuts.later_id, cuts.new_cut_position, late_sets.transaction_ids,
            cuts.later_id as to_settlement_id,
            count(*) over (partition by cuts.earlier_id) as options
        from
            cuts
            anti join one using (earlier_id)
            inner join late_sets on late_sets.earlier_id = cuts.earlier_id
            and late_sets.signed_cents = cuts.moved_cents
            and late_sets.position <= cuts.new_cut_position
        where cuts.is_near and cuts.moved_cents <> 0
        qualify
            row_number() over (
                partition by cuts.earlier_id
                order by len(transaction_ids), cuts.deviation_s, transaction_ids
            ) = 1
    ),
    -- Two together, where no single one will do and the stretch is short enough for chance to be rare.
    twos as (
        select
            cuts.earlier_id, cuts.later_id, cuts.new_cut_position,
            [first_one.transaction_id, second_one.transaction_id] as transaction_ids,
            cuts.deviation_s,
            cuts.new_cut_position = cuts.cut_position as is_same_cut,
            first_one.position as first_position, second_one.position as second_position
        from
            cuts
            anti join one using (earlier_id)
            anti join late_ones using (earlier_id)
            inner join ordered_transaction as first_one on first_one.clock = cuts.clock
            and first_one.terminal_id = cuts.terminal_id
            and first_one.position > cuts.begins_after
            and first_one.position <= cuts.new_cut_position
            inner join ordered_transaction as second_one on second_one.clock = cuts.clock
            and second_one.terminal_id = cuts.terminal_id
            and second_one.signed_cents = cuts.moved_cents - first_one.signed_cents
            and second_one.position > first_one.position
            and second_one.position <= cuts.new_cut_position
        where
            cuts.is_near
            and cuts.new_cut_position - cuts.begins_after <= 200
            and first_one.signed_cents <> 0
            and second_one.signed_cents <> 0
    ),
    two as (
        select
            earlier_id, later_id, new_cut_position, transaction_ids, later_id as to_settlement_id,
            -- With another cut there are so many ways that chance may have found this one.
            count(*) over (partition by earlier_id, is_same_cut) + case
                when is_same_cut then 0
                else 1
            end as options
        from twos
        qualify
            row_number() over (
                partition by earlier_id
                order by is_same_cut desc, deviation_s, second_position desc, first_position desc
            ) = 1
    )
select
    earlier_id, later_id, new_cut_position,
    unnest(transaction_ids) as transaction_id,
    to_settlement_id,
    options + is_one_of_some::integer as options
from
    (from one union all from late_ones union all from two) as all_kinds
    inner join (select earlier_id, is_one_of_some from nearest) as pair using (earlier_id)
