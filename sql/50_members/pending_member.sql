-- model    pending_member
-- grain    one row per approved, captured, not yet settled transaction that a PENDING settlement seems to contain
-- reads    current_settlement, pending_cutoff, pending_flag_timing, unplaced_capture, unsettled_capture
-- rule     R-05: captures whose record names the settlement come first; R-11: the data show whether members of a PENDING settlement carry the settled flag
-- silent   captures after the end of the last PENDING settlement; captures that name a COMPLETE settlement
with
    taken_transaction as (
        select pending_cutoff.*
        from pending_cutoff cross join pending_flag_timing
        where may_hold and (comes_later or unsettled_ties)
    )
select
    unplaced_capture.transaction_id, taken_transaction.settlement_id, unplaced_capture.terminal_id,
    method_value ('ALIGNED') as method,
    unplaced_capture.action, unplaced_capture.created, unplaced_capture.signed_cents
from
    taken_transaction
    inner join unplaced_capture on unplaced_capture.terminal_id = taken_transaction.terminal_id
    and unplaced_capture.position > taken_transaction.after_position
    and unplaced_capture.position <= taken_transaction.position
qualify
    row_number() over (
        partition by unplaced_capture.transaction_id
        order by taken_transaction.ordinal
    ) = 1
union all
select
    unsettled_capture.transaction_id, unsettled_capture.named_id, unsettled_capture.terminal_id,
    method_value ('EXPLICIT_ID'),
    unsettled_capture.action, unsettled_capture.created, unsettled_capture.signed_cents
from
    unsettled_capture
    inner join current_settlement on current_settlement.settlement_id = unsettled_capture.named_id
where current_settlement.status <> 'COMPLETE'
