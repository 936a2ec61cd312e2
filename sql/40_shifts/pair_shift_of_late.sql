-- model    pair_shift_of_late
-- grain    one row per pair of settlements that only the move of two or three late transactions makes tie
-- reads    contradicted_pair_move, pair_cut, pair_late_transaction, pair_shift_of_one
-- rule     R-28: two or three of at most eight, with a cut-off close to the usual lag; the smallest set. The column options counts the sets
-- silent   pairs that one transaction makes tie
with
    late_transaction as (
        select earlier_id, transaction_id, position, signed_cents
        from pair_late_transaction
        where
            is_few
            and (transaction_id, later_id) not in (
                select (transaction_id, to_settlement_id)
                from contradicted_pair_move
            )
    ),
    set_of_two as (
        select
            one.earlier_id,
            [one.transaction_id, other.transaction_id] as transaction_ids,
            one.signed_cents + other.signed_cents as signed_cents,
            other.position
        from
            late_transaction as one
            inner join late_transaction as other on other.earlier_id = one.earlier_id
            and other.position > one.position
    ),
    late_set as (
        from set_of_two
        union all
        select
            set_of_two.earlier_id,
            list_append(transaction_ids, late_transaction.transaction_id),
            set_of_two.signed_cents + late_transaction.signed_cents,
            late_transaction.position
        from
            set_of_two
            inner join late_transaction on late_transaction.earlier_id = set_of_two.earlier_id
            and late_transaction.position > set_of_two.position
    )
select
    pair_cut.earlier_id, pair_cut.later_id, pair_cut.new_cut_position, late_set.transaction_ids,
    pair_cut.later_id as to_settlement_id,
    count(*) over (partition by pair_cut.earlier_id) as options
from
    pair_cut
    anti join pair_shift_of_one using (earlier_id)
    inner join late_set on late_set.earlier_id = pair_cut.earlier_id
    and late_set.signed_cents = pair_cut.moved_cents
    and late_set.position <= pair_cut.new_cut_position
where pair_cut.is_usual and pair_cut.moved_cents <> 0
qualify
    row_number() over (
        partition by pair_cut.earlier_id
        order by
            len(transaction_ids),
            pair_cut.deviation_s, transaction_ids, pair_cut.new_cut_position
    ) = 1
