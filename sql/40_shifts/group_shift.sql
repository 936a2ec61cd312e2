-- model    group_shift
-- grain    one row per transaction that moves so that a group of settlements ties
-- reads    group_cut, ordered_transaction, remaining_difference, remaining_difference_move, whole_difference_move
-- rule     R-28: the amounts that remain go to one settlement, with one transaction from each other one; the cut-off closest to the usual lag
-- silent   groups that need moves of what remains to several settlements, or more than one other cut-off
with
    off_count as (
        select
            group_id, cut_ordinal, cut_position,
            min(deviation_s) as deviation_s,
            count(*) filter(where remaining_cents <> 0) as off_settlements
        from remaining_difference
        group by all
    ),
    solution as (
        select off_count.*, null::bigint as to_settlement_id
        from off_count
        where off_settlements = 0
        union all
        select off_count.*, remaining_difference_move.to_settlement_id
        from
            off_count
            inner join remaining_difference_move using (group_id, cut_ordinal, cut_position)
        group by all
        having count(*) = off_count.off_settlements - 1
    ),
    best_solution as (
        select *, count(*) over (partition by group_id) as options
        from solution
        qualify
            row_number() over (
                partition by group_id
                order by deviation_s, off_settlements, cut_position, to_settlement_id, cut_ordinal
            ) = 1
    ),
    move as (
        select
            best_solution.group_id, best_solution.cut_ordinal, best_solution.cut_position,
            best_solution.options, whole_difference_move.transaction_id,
            whole_difference_move.to_settlement_id
        from
            best_solution
            inner join whole_difference_move using (group_id, cut_ordinal, cut_position)
        union all
        select
            best_solution.group_id, best_solution.cut_ordinal, best_solution.cut_position,
            best_solution.options, remaining_difference_move.transaction_id,
            remaining_difference_move.to_settlement_id
        from
            best_solution
            inner join remaining_difference_move using (group_id, cut_ordinal, cut_position, to_settlement_id)
    )
select
    move.group_id, move.transaction_id, move.to_settlement_id,
    holder.settlement_id as from_settlement_id, cut_settlement.settlement_id as cut_settlement_id,
    nullif(move.cut_position, 0) as new_cut_position,
    move.options
from
    move
    inner join ordered_transaction using (transaction_id)
    inner join group_cut as holder on holder.group_id = move.group_id
    and holder.cut_ordinal = move.cut_ordinal
    and holder.cut_position = move.cut_position
    and holder.clock = ordered_transaction.clock
    and ordered_transaction.position > holder.begins_after
    and ordered_transaction.position <= holder.ends_at
    left join group_cut as cut_settlement on cut_settlement.group_id = move.group_id
    and cut_settlement.cut_ordinal = move.cut_ordinal
    and cut_settlement.cut_position = move.cut_position
    and cut_settlement.ordinal = move.cut_ordinal
