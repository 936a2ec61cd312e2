-- model    attribution
-- grain    one row per transaction that is in a settlement
-- reads    settled_member, pending_member, current_transaction, current_settlement
-- rule     R-05: every settled transaction is in at most one settlement; R-11: only approved, captured ones are listed for a PENDING one
-- silent   orphans, and what is settled but held, void or declined in the window of a PENDING settlement
with
    -- Only what is in the window of a PENDING settlement has to be looked at itself.
    waiting as (
        select settled_member.*
        from
            settled_member
            inner join current_settlement using (settlement_id)
        where current_settlement.status <> 'COMPLETE'
    )
select
    transaction_id,
    settlement_id,
    terminal_id,
    method
from settled_member
where settlement_id in (select settlement_id from current_settlement where status = 'COMPLETE')
union all
select
    transaction_id,
    settlement_id,
    terminal_id,
    method
from waiting
where
    transaction_id in (
        select transaction_id
        from current_transaction
        where
            approved
            and status = 'CAPTURE'
    )
union all
select
    transaction_id,
    settlement_id,
    terminal_id,
    method
from pending_member
