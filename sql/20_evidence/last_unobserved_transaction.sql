-- model    last_unobserved_transaction
-- grain    one row per terminal: the last of its transactions that was settled when it was first read
-- reads    current_transaction, flag_observation
-- rule     R-09: arithmetic alone places the transactions up to this one
-- silent   transactions that the id in their record places
select terminal_id, arg_max(transaction_id, created) as transaction_id, max(created) as last_at
from current_transaction anti join flag_observation using (transaction_id)
where settled and explicit_settlement_id is null
group by terminal_id
