-- model    open_capture
-- grain    one row per approved, captured, not yet settled charge or refund, in the time order of its terminal
-- reads    chosen_clock, current_transaction
-- rule     R-11: only approved, captured transactions may be in a settlement still PENDING
-- silent   what is held, void or declined
with
    unsettled as (
        select
            current_transaction.transaction_id,
            current_transaction.terminal_id,
            action,
            created,
            signed_cents,
            clock_time (chosen_clock.clock, created, last_modified, null) as clock_at
        from
            current_transaction
            left join chosen_clock using (terminal_id)
        where
            approved
            and not settled
            and status = 'CAPTURE'::word
            and action in ('CHARGE'::word, 'REFUND'::word)
    )
select
    *,
    row_number() over (in_time) as position,
    (sum(signed_cents) over (in_time rows unbounded preceding))::bigint as running_cents
from unsettled
window
    in_time as (
        partition by terminal_id
        order by clock_at, transaction_id
    )
