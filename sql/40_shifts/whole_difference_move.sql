-- model    whole_difference_move
-- grain    one row per group, way to cut it and settlement that ties if one transaction of an earlier settlement moves to it
-- reads    group_cut, ordered_transaction
-- rule     R-28: the last transaction of the amount that the settlement lacks; none moves twice
-- silent   settlements that lack nothing, or no transaction's whole amount
select
    lacking.group_id, lacking.cut_ordinal, lacking.cut_position,
    lacking.settlement_id as to_settlement_id, earlier.settlement_id as from_settlement_id,
    ordered_transaction.transaction_id, ordered_transaction.signed_cents
from
    group_cut as lacking
    inner join group_cut as earlier on earlier.group_id = lacking.group_id
    and earlier.cut_ordinal = lacking.cut_ordinal
    and earlier.cut_position = lacking.cut_position
    and earlier.ordinal < lacking.ordinal
    inner join ordered_transaction on ordered_transaction.clock = earlier.clock
    and ordered_transaction.terminal_id = earlier.terminal_id
    and ordered_transaction.position > earlier.begins_after
    and ordered_transaction.position <= earlier.ends_at
    and ordered_transaction.signed_cents = - lacking.difference_cents
where lacking.difference_cents <> 0
qualify
    row_number() over (
        partition by
            lacking.group_id, lacking.cut_ordinal, lacking.cut_position, lacking.settlement_id
        order by ordered_transaction.position desc
    ) = 1
    and row_number() over (
        partition by
            lacking.group_id, lacking.cut_ordinal, lacking.cut_position,
            ordered_transaction.transaction_id
        order by lacking.ordinal
    ) = 1
