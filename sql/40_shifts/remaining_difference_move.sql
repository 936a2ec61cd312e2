-- model    remaining_difference_move
-- grain    one row per group, way to cut it, settlement that still has a difference and later settlement to which one of its transactions could move
-- reads    ordered_transaction, remaining_difference, whole_difference_move
-- rule     R-28: the last transaction of the amount that remains
-- silent   transactions of whole differences, which have moved
select
    earlier.group_id, earlier.cut_ordinal, earlier.cut_position,
    target.settlement_id as to_settlement_id, ordered_transaction.transaction_id
from
    remaining_difference as earlier
    inner join remaining_difference as target on target.group_id = earlier.group_id
    and target.cut_ordinal = earlier.cut_ordinal
    and target.cut_position = earlier.cut_position
    and target.ordinal > earlier.ordinal
    and target.remaining_cents <> 0
    inner join ordered_transaction on ordered_transaction.clock = earlier.clock
    and ordered_transaction.terminal_id = earlier.terminal_id
    and ordered_transaction.position > earlier.begins_after
    and ordered_transaction.position <= earlier.ends_at
    and ordered_transaction.signed_cents = earlier.remaining_cents
where
    earlier.remaining_cents <> 0
    and ordered_transaction.transaction_id not in (select transaction_id from whole_difference_move)
qualify
    row_number() over (
        partition by
            earlier.group_id, earlier.cut_ordinal, earlier.cut_position, target.settlement_id,
            earlier.settlement_id
        order by ordered_transaction.position desc
    ) = 1
