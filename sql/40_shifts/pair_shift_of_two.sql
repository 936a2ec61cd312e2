-- model    pair_shift_of_two
-- grain    one row per pair of settlements that only the move of any two transactions makes tie
-- reads    ordered_transaction, pair_cut, pair_shift_of_late, pair_shift_of_one
-- rule     R-28: any two of at most 200 transactions of the earlier settlement, so that chance is rare; the present cut-off comes first
-- silent   pairs that one transaction, or several late ones, make tie
with
    set_of_two as (
        select
            pair_cut.earlier_id, pair_cut.later_id, pair_cut.new_cut_position,
            [one.transaction_id, other.transaction_id] as transaction_ids,
            pair_cut.deviation_s,
            pair_cut.new_cut_position = pair_cut.cut_position as is_same_cut,
            one.position as first_position, other.position as second_position
        from
            pair_cut
            anti join pair_shift_of_one using (earlier_id)
            anti join pair_shift_of_late using (earlier_id)
            inner join ordered_transaction as one on one.clock = pair_cut.clock
            and one.terminal_id = pair_cut.terminal_id
            and one.position > pair_cut.begins_after
            and one.position <= pair_cut.new_cut_position
            inner join ordered_transaction as other on other.clock = pair_cut.clock
            and other.terminal_id = pair_cut.terminal_id
            and other.signed_cents = pair_cut.moved_cents - one.signed_cents
            and other.position > one.position
            and other.position <= pair_cut.new_cut_position
        where
            pair_cut.is_usual
            and pair_cut.new_cut_position - pair_cut.begins_after <= 200
            and one.signed_cents <> 0
            and other.signed_cents <> 0
    )
select
    earlier_id, later_id, new_cut_position, transaction_ids, later_id as to_settlement_id,
    -- Other cut-offs give many sets, so that this one may fit by chance. An added option makes the certificate AMBIGUOUS.
    count(*) over (partition by earlier_id, is_same_cut) + case
        when is_same_cut then 0
        else 1
    end as options
from set_of_two
qualify
    row_number() over (
        partition by earlier_id
        order by
            is_same_cut desc,
            deviation_s,
            second_position desc,
            first_position desc,
            new_cut_position
    ) = 1
