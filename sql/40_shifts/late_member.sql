-- model    late_member
-- grain    one row per clock and transaction that was seen to turn settled long after its time: its place in time order
-- reads    clocked_transaction, settled_after
-- rule     R-28: of what was seen to turn settled late there is little, so that less else need speak for moving it
-- silent   what stands where its own time says
select
    clock,
    terminal_id,
    transaction_id,
    position,
    signed_cents
from
    clocked_transaction
    semi join settled_after using (transaction_id)
