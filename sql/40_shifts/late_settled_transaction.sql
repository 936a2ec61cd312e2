-- model    late_settled_transaction
-- grain    one row per clock and transaction that was seen to turn settled long after its time: its place in time order
-- reads    earliest_settled_time, ordered_transaction
-- rule     R-28: of what was seen to turn settled late there is little, so that less else need speak for moving it
-- silent   what stands where its own time says
select clock, terminal_id, transaction_id, position, signed_cents
from ordered_transaction semi join earliest_settled_time using (transaction_id)
