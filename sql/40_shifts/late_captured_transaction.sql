-- model    late_captured_transaction
-- grain    one row per clock and transaction that a sweep saw before it was captured: its position in order of time
-- reads    flag_observation, ordered_transaction
-- rule     R-28: a transaction captured late may be in a later settlement than its time says
-- silent   transactions captured before a sweep first saw them; transactions that a person, an id or an observation places
select
    ordered_transaction.clock, ordered_transaction.terminal_id, ordered_transaction.transaction_id,
    ordered_transaction.position, ordered_transaction.signed_cents
from ordered_transaction inner join flag_observation using (transaction_id)
where flag_observation.uncaptured_at is not null and ordered_transaction.signed_cents <> 0
