-- model    late_captured_transaction
-- grain    one row per clock and transaction that was seen before it was captured: its place in time order
-- reads    flag_observation, ordered_transaction
-- rule     R-28: what was captured after it was seen may be in a later settlement than its time says
-- silent   what was captured before it was seen first; what is placed already
select
    ordered_transaction.clock, ordered_transaction.terminal_id, ordered_transaction.transaction_id,
    ordered_transaction.position, ordered_transaction.signed_cents
from ordered_transaction inner join flag_observation using (transaction_id)
where flag_observation.held_at is not null and ordered_transaction.signed_cents <> 0
