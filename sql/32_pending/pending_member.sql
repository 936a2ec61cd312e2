-- model    pending_member
-- grain    one row per approved, captured, not yet settled transaction that a settlement still PENDING seems to hold
-- reads    open_capture, pending_end, pending_flag
-- rule     R-11: members of a PENDING settlement may carry the settled flag or not; the data tell which
-- silent   transactions that no PENDING settlement reaches
with
    taken as (
        select pending_end.*
        from
            pending_end
            cross join pending_flag
        where
            may_hold
            and (comes_later or unsettled_ties)
    )
select
    open_capture.transaction_id,
    taken.settlement_id,
    open_capture.terminal_id,
    method_word ('ALIGNED') as method,
    open_capture.action,
    open_capture.created,
    open_capture.signed_cents
from
    taken
    inner join open_capture on open_capture.terminal_id = taken.terminal_id
    and open_capture.position > taken.after_position
    and open_capture.position <= taken.position
qualify row_number() over (partition by open_capture.transaction_id order by taken.ordinal) = 1
