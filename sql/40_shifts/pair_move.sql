-- model    pair_move
-- grain    one row per pair of settlements, cut-off tried and single transaction that would make both tie if it moved
-- reads    ordered_transaction, pair_cut, pair_difference, pair_late_transaction
-- rule     R-28: one transaction of the amount that both settlements are off by
-- silent   observations of the settled flag (R-05), which contradicted_pair_move compares
-- drop     after its last reader
select
    pair_cut.earlier_id, pair_cut.later_id, pair_cut.new_cut_position,
    ordered_transaction.transaction_id, pair_cut.later_id as to_settlement_id, pair_cut.deviation_s,
    pair_cut.new_cut_position - ordered_transaction.position as distance
from
    pair_cut
    inner join ordered_transaction on ordered_transaction.clock = pair_cut.clock
    and ordered_transaction.terminal_id = pair_cut.terminal_id
    and ordered_transaction.signed_cents = pair_cut.moved_cents
    and ordered_transaction.position > pair_cut.begins_after
    and ordered_transaction.position <= pair_cut.new_cut_position
where pair_cut.is_usual and pair_cut.moved_cents <> 0
union all
-- Sweeps see few transactions settle late. For these any cut-off is tried.
select
    pair_cut.earlier_id, pair_cut.later_id, pair_cut.new_cut_position,
    pair_late_transaction.transaction_id, pair_cut.later_id, pair_cut.deviation_s,
    pair_cut.new_cut_position - pair_late_transaction.position
from
    pair_cut
    inner join pair_late_transaction on pair_late_transaction.earlier_id = pair_cut.earlier_id
    and pair_late_transaction.signed_cents = pair_cut.moved_cents
    and pair_late_transaction.position <= pair_cut.new_cut_position
where
    not pair_cut.is_usual
    and pair_cut.moved_cents <> 0
    and (pair_late_transaction.was_settled_late or pair_late_transaction.is_few)
union all
-- The transaction settled early: its time lies after the cut-off, but not after the creation of its settlement.
select
    pair_difference.earlier_id, pair_difference.later_id, pair_difference.cut_position,
    ordered_transaction.transaction_id, pair_difference.earlier_id, 0,
    ordered_transaction.position - pair_difference.cut_position
from
    pair_difference
    inner join ordered_transaction on ordered_transaction.clock = pair_difference.clock
    and ordered_transaction.terminal_id = pair_difference.terminal_id
    and ordered_transaction.signed_cents = - pair_difference.difference_cents
    and ordered_transaction.position > pair_difference.later_begins_after
    and ordered_transaction.position <= pair_difference.ends_at
    and ordered_transaction.clock_at <= pair_difference.earlier_created + clock_skew ()
