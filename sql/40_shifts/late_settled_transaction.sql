-- model    late_settled_transaction
-- grain    one row per clock and transaction that sweeps saw settle long after its time: its position in order of time
-- reads    earliest_settled_time, ordered_transaction
-- rule     R-28: transactions that settle late are few, so that less other support is needed to move one
-- silent   transactions in the settlement that their own time says
select clock, terminal_id, transaction_id, position, signed_cents
from ordered_transaction semi join earliest_settled_time using (transaction_id)
