-- model    held_member
-- grain    one row per clock and transaction that was seen before it was captured: its place in time order
-- reads    clocked_transaction, flip
-- rule     R-28: what was captured after it was seen may be in a later settlement than its time says
-- silent   what was captured before it was seen first; what is placed already
select
    clocked_transaction.clock,
    clocked_transaction.terminal_id,
    clocked_transaction.transaction_id,
    clocked_transaction.position,
    clocked_transaction.signed_cents
from
    clocked_transaction
    inner join flip using (transaction_id)
where
    flip.held_at is not null
    and clocked_transaction.signed_cents <> 0
