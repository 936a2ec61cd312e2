-- model    shift_rival
-- grain    one row per settlement that a shift touches, or could: how many other cut-offs and moves of one transaction give the same nets
-- reads    boundary, ordered_transaction, shift_alternative_range
-- rule     R-28: a shift that another cut-off within the cut-off window or another transaction could replace is AMBIGUOUS
-- silent   the rivals of several transactions that move side by side: one is assumed, for their neighbours too
with
    -- The ranges are few and form a table of their own. So the join holds them in memory, and not the transactions.
    possible_move as (
        select shift_alternative_range.*, ordered_transaction.position as other_position
        from
            shift_alternative_range
            inner join ordered_transaction on ordered_transaction.terminal_id = shift_alternative_range.terminal_id
            and ordered_transaction.clock = shift_alternative_range.clock
            and ordered_transaction.signed_cents = shift_alternative_range.moved_cents
            and ordered_transaction.position > shift_alternative_range.begins_after
            and ordered_transaction.position <= shift_alternative_range.cut_high
        union all
        select shift_alternative_range.*, ordered_transaction.position
        from
            shift_alternative_range
            inner join ordered_transaction on ordered_transaction.terminal_id = shift_alternative_range.terminal_id
            and ordered_transaction.clock = shift_alternative_range.clock
            and ordered_transaction.signed_cents = - shift_alternative_range.moved_cents
            and ordered_transaction.position > shift_alternative_range.cut_low
            and ordered_transaction.position <= shift_alternative_range.ends_at
            and ordered_transaction.clock_at <= shift_alternative_range.first_created
    ),
    rival_count as (
        select
            terminal_id, from_ordinal as first_ordinal, to_ordinal as last_ordinal, is_same,
            -- Cutting before two transactions and bringing one back equals cutting after both and taking the other out.
            sum(positions) - max(is_same::integer) - count(*) filter(
                where
                    not is_same
                    and from_ordinal = first_ordinal
                    and to_ordinal = last_ordinal
                    and last_ordinal = first_ordinal + 1
                    and abs(cut_low - own_cut) = 2
                    and abs(other_position - moved_position) = 1
                    and greatest(other_position, moved_position) = greatest(cut_low, own_cut)
            ) as rivals
        from possible_move
        group by terminal_id, transaction_id, from_ordinal, to_ordinal, is_same, moved_cents
        union all
        select distinct terminal_id, from_ordinal, to_ordinal, false, 1
        from shift_alternative_range
        where kind = 'CROWDED'
        union all
        select terminal_id, from_ordinal, to_ordinal, false, 1
        from shift_alternative_range
        where kind = 'STILL'
    )
select boundary.settlement_id, sum(rival_count.rivals)::bigint as rival_count
from
    rival_count
    inner join boundary on boundary.terminal_id = rival_count.terminal_id
    and boundary.ordinal between rival_count.first_ordinal and rival_count.last_ordinal
where
    rival_count.rivals > 0
    and (
        not rival_count.is_same
        or boundary.ordinal in (rival_count.first_ordinal, rival_count.last_ordinal)
    )
group by boundary.settlement_id
