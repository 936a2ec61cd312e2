-- model    pair_late_transaction
-- grain    one row per pair of settlements and transaction of theirs that sweeps saw captured or settled late
-- reads    late_captured_transaction, late_settled_transaction, pair_difference
-- rule     R-28: such transactions are few, so that sets of at most eight are tried
-- silent   nothing; is_few is false where a pair has more than eight of them, and more than eight captured late
select
    pair_difference.earlier_id, pair_difference.later_id, late_transaction.transaction_id,
    late_transaction.position, late_transaction.signed_cents,
    bool_or(late_transaction.is_captured_late) as was_captured_late,
    bool_or(not late_transaction.is_captured_late) as was_settled_late,
    count(*) over (partition by pair_difference.earlier_id) <= 8
    or (
        was_captured_late
        and count(*) filter(where was_captured_late) over (
            partition by pair_difference.earlier_id
        ) <= 8
    ) as is_few
from
    pair_difference
    inner join (
        select *, false as is_captured_late
        from late_settled_transaction
        union all
        select *, true
        from late_captured_transaction
    ) as late_transaction on late_transaction.clock = pair_difference.clock
    and late_transaction.terminal_id = pair_difference.terminal_id
    and late_transaction.position > pair_difference.begins_after
    and late_transaction.position <= pair_difference.ends_at
group by
    pair_difference.earlier_id, pair_difference.later_id, late_transaction.transaction_id,
    late_transaction.position, late_transaction.signed_cents
