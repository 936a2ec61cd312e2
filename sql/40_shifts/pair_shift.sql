-- model    pair_shift
-- grain    one row per transaction, up to three for each pair of settlements whose differences cancel
-- reads    pair_difference, pair_shift_of_late, pair_shift_of_one, pair_shift_of_two
-- rule     R-28: two settlements with opposite differences, and the transactions that move between them
-- silent   differences that cancel without such transactions
select
    earlier_id, later_id, new_cut_position,
    unnest(transaction_ids) as transaction_id,
    to_settlement_id,
    options + is_one_of_some::integer as options
from
    (
        from pair_shift_of_one
        union all
        from pair_shift_of_late
        union all
        from pair_shift_of_two
    ) as set_of_any_size
    inner join pair_difference using (earlier_id, later_id)
