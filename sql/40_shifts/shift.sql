-- model    shift
-- grain    one row per transaction that belongs to another settlement than its time says
-- reads    cutoff_candidate, cutoff_difference, observed_candidate, observed_shift, ordered_transaction, pair_shift
-- rule     R-28: a group of settlements of a terminal within eight days whose differences cancel, and transactions of these amounts
-- silent   groups that several moves to several settlements would be needed for, or more than one other cut; what was seen to turn settled for another settlement (R-05)
with
    left_over as (
        select
            *,
            (
                sum(gap_cents) over (
                    partition by terminal_id
                    order by ordinal rows unbounded preceding
                )
            )::bigint as total_cents
        from cutoff_difference
        where
            settlement_id not in (select earlier_id from pair_shift)
            and settlement_id not in (select later_id from pair_shift)
            and settlement_id not in (select from_settlement_id from observed_shift)
            and settlement_id not in (
                select to_settlement_id
                from observed_shift
                where is_tied_there
            )
    ),
    -- Where the running total of differences comes back to what it was, they cancel.
    balanced as (
        select
            opening.settlement_id as group_id, opening.terminal_id,
            opening.ordinal as first_ordinal, closing.ordinal as last_ordinal
        from
            left_over as opening
            inner join left_over as closing on closing.terminal_id = opening.terminal_id
            and closing.ordinal > opening.ordinal
            and closing.total_cents = opening.total_cents - opening.gap_cents
            and closing.created <= opening.created + interval 8 days
        qualify row_number() over (partition by opening.settlement_id order by closing.ordinal) = 1
    ),
    shortest as (
        select *
        from balanced
        where
            not exists (
                from balanced as other
                where
                    other.terminal_id = balanced.terminal_id
                    and other.group_id <> balanced.group_id
                    and other.first_ordinal <= balanced.last_ordinal
                    and other.last_ordinal >= balanced.first_ordinal
                    and (other.last_ordinal - other.first_ordinal, other.first_ordinal) < (balanced.last_ordinal - balanced.first_ordinal, balanced.first_ordinal)
            )
    ),
    members as (
        select
            shortest.group_id, left_over.clock, left_over.terminal_id, left_over.settlement_id,
            left_over.ordinal, left_over.gap_cents, left_over.previous_position, left_over.position,
            left_over.running_cents, left_over.support, left_over.lag_s, left_over.spread_s,
            lead(left_over.ordinal) over (in_group) = left_over.ordinal + 1 as has_next,
            lead(left_over.position) over (in_group) as next_position
        from
            shortest
            inner join left_over on left_over.terminal_id = shortest.terminal_id
            and left_over.ordinal between shortest.first_ordinal and shortest.last_ordinal
        window
            in_group as (
                partition by shortest.group_id
                order by left_over.ordinal
            )
    ),
    -- As they are, or with one cut that no run supports at another place near the usual lag.
    cuts as (
        select distinct
            group_id, 0 as cut_ordinal, 0 as cut_position, 0 as delta_cents, 0 as deviation_s
        from members
        union all
        select
            members.group_id, members.ordinal, cutoff_candidate.position,
            cutoff_candidate.transactions_cents - members.running_cents,
            greatest(
                0,
                cutoff_candidate.lag_low_s - members.lag_s,
                members.lag_s - cutoff_candidate.lag_high_s
            )
        from
            members
            inner join cutoff_candidate on cutoff_candidate.settlement_id = members.settlement_id
            and cutoff_candidate.clock = members.clock
            and cutoff_candidate.position > members.previous_position
            and cutoff_candidate.position <= members.next_position
            and cutoff_candidate.position <> members.position
        where
            members.has_next
            and members.support < 2
            and greatest(
                0,
                cutoff_candidate.lag_low_s - members.lag_s,
                members.lag_s - cutoff_candidate.lag_high_s
            ) <= 2 * members.spread_s
    ),
    tried as (
        select
            members.group_id, cuts.cut_ordinal, cuts.cut_position, cuts.deviation_s, members.clock,
            members.terminal_id, members.settlement_id, members.ordinal,
            case members.ordinal
                when cuts.cut_ordinal + 1 then cuts.cut_position
                else members.previous_position
            end as begins_after,
            case members.ordinal
                when cuts.cut_ordinal then cuts.cut_position
                else members.position
            end as ends_at,
            members.gap_cents + case members.ordinal
                when cuts.cut_ordinal then cuts.delta_cents
                when cuts.cut_ordinal + 1 then -cuts.delta_cents
                else 0
            end as gap_cents
        from members inner join cuts using (group_id)
    ),
    -- What one settlement lacks stands in an earlier one of the group.
    taken as (
        select
            lacking.group_id, lacking.cut_ordinal, lacking.cut_position,
            lacking.settlement_id as to_settlement_id, holding.settlement_id as from_settlement_id,
            ordered_transaction.transaction_id, ordered_transaction.signed_cents
        from
            tried as lacking
            inner join tried as holding on holding.group_id = lacking.group_id
            and holding.cut_ordinal = lacking.cut_ordinal
            and holding.cut_position = lacking.cut_position
            and holding.ordinal < lacking.ordinal
            inner join ordered_transaction on ordered_transaction.clock = holding.clock
            and ordered_transaction.terminal_id = holding.terminal_id
            and ordered_transaction.position > holding.begins_after
            and ordered_transaction.position <= holding.ends_at
            and ordered_transaction.signed_cents = - lacking.gap_cents
        where lacking.gap_cents <> 0
        qualify
            row_number() over (
                partition by
                    lacking.group_id, lacking.cut_ordinal, lacking.cut_position,
                    lacking.settlement_id
                order by ordered_transaction.position desc
            ) = 1
            and row_number() over (
                partition by
                    lacking.group_id, lacking.cut_ordinal, lacking.cut_position,
                    ordered_transaction.transaction_id
                order by lacking.ordinal
            ) = 1
    ),
    flows as (
        select
            group_id, cut_ordinal, cut_position, from_settlement_id as settlement_id,
            - signed_cents as cents
        from taken
        union all
        select group_id, cut_ordinal, cut_position, to_settlement_id, signed_cents
        from taken
    ),
    flowed as (
        select group_id, cut_ordinal, cut_position, settlement_id, sum(cents)::bigint as cents
        from flows
        group by all
    ),
    rest as (
        select tried.*, tried.gap_cents + coalesce(flowed.cents, 0) as rest_cents
        from tried left join flowed using (group_id, cut_ordinal, cut_position, settlement_id)
    ),
    -- What is left goes to one settlement, from each of the others one transaction.
    given as (
        select
            holding.group_id, holding.cut_ordinal, holding.cut_position,
            target.settlement_id as to_settlement_id, ordered_transaction.transaction_id
        from
            rest as holding
            inner join rest as target on target.group_id = holding.group_id
            and target.cut_ordinal = holding.cut_ordinal
            and target.cut_position = holding.cut_position
            and target.ordinal > holding.ordinal
            and target.rest_cents <> 0
            inner join ordered_transaction on ordered_transaction.clock = holding.clock
            and ordered_transaction.terminal_id = holding.terminal_id
            and ordered_transaction.position > holding.begins_after
            and ordered_transaction.position <= holding.ends_at
            and ordered_transaction.signed_cents = holding.rest_cents
        where
            holding.rest_cents <> 0
            and ordered_transaction.transaction_id not in (select transaction_id from taken)
        qualify
            row_number() over (
                partition by
                    holding.group_id, holding.cut_ordinal, holding.cut_position,
                    target.settlement_id, holding.settlement_id
                order by ordered_transaction.position desc
            ) = 1
    ),
    needs as (
        select
            group_id, cut_ordinal, cut_position,
            min(deviation_s) as deviation_s,
            count(*) filter(where rest_cents <> 0) as open_ones
        from rest
        group by all
    ),
    solved as (
        select needs.*, null::bigint as to_settlement_id
        from needs
        where open_ones = 0
        union all
        select needs.*, given.to_settlement_id
        from needs inner join given using (group_id, cut_ordinal, cut_position)
        group by all
        having count(*) = needs.open_ones - 1
    ),
    chosen as (
        select *, count(*) over (partition by group_id) as options
        from solved
        qualify
            row_number() over (
                partition by group_id
                order by deviation_s, open_ones, cut_position, to_settlement_id
            ) = 1
    ),
    moved as (
        select
            chosen.group_id, chosen.cut_ordinal, chosen.cut_position, chosen.options,
            taken.transaction_id, taken.to_settlement_id
        from chosen inner join taken using (group_id, cut_ordinal, cut_position)
        union all
        select
            chosen.group_id, chosen.cut_ordinal, chosen.cut_position, chosen.options,
            given.transaction_id, given.to_settlement_id
        from chosen inner join given using (group_id, cut_ordinal, cut_position, to_settlement_id)
    ),
    moves as (
        select
            earlier_id as move_id, transaction_id, to_settlement_id,
            case
                when to_settlement_id = later_id then earlier_id
                else later_id
            end as from_settlement_id, earlier_id as cut_settlement_id, new_cut_position, options
        from pair_shift
        union all
        select
            from_settlement_id, transaction_id, to_settlement_id, from_settlement_id,
            from_settlement_id, new_cut_position, options
        from observed_shift
        union all
        select
            moved.group_id, moved.transaction_id, moved.to_settlement_id, holder.settlement_id,
            cutter.settlement_id,
            nullif(moved.cut_position, 0),
            moved.options
        from
            moved
            inner join ordered_transaction using (transaction_id)
            inner join tried as holder on holder.group_id = moved.group_id
            and holder.cut_ordinal = moved.cut_ordinal
            and holder.cut_position = moved.cut_position
            and holder.clock = ordered_transaction.clock
            and ordered_transaction.position > holder.begins_after
            and ordered_transaction.position <= holder.ends_at
            left join tried as cutter on cutter.group_id = moved.group_id
            and cutter.cut_ordinal = moved.cut_ordinal
            and cutter.cut_position = moved.cut_position
            and cutter.ordinal = moved.cut_ordinal
    ),
    -- Of what was seen to turn settled, where it may be.
    seen as (
        select transaction_id, settlement_id
        from observed_candidate
        where transaction_id in (select transaction_id from moves)
    ),
    barred as (
        select moves.move_id
        from
            moves
            semi join seen using (transaction_id)
            anti join seen on seen.transaction_id = moves.transaction_id
            and seen.settlement_id = moves.to_settlement_id
    )
select * exclude (move_id)
from moves
where move_id not in (select move_id from barred)
