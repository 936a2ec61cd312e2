-- model    pair_shift_of_one
-- grain    one row per pair of settlements that the move of one transaction makes tie
-- reads    contradicted_pair_move, pair_move
-- rule     R-28: the cut-off closest to the usual lag, then the transaction closest to the cut-off; options counts the moves
-- silent   moves that an observation contradicts
select
    earlier_id, later_id, new_cut_position,
    [transaction_id] as transaction_ids,
    to_settlement_id,
    count(*) over (partition by earlier_id) as options
from pair_move anti join contradicted_pair_move using (transaction_id, to_settlement_id)
qualify
    row_number() over (
        partition by earlier_id
        order by deviation_s, distance, transaction_id, to_settlement_id = earlier_id
    ) = 1
