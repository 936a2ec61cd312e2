-- model    last_unobserved_transaction
-- grain    one row per terminal: the last of its transactions that was settled when it was first read
-- reads    current_transaction, flag_observation, known_settlement
-- rule     R-09: arithmetic alone places the transactions up to this one
-- silent   transactions that the id in their record places
select current_transaction.terminal_id, max(current_transaction.created) as last_at
from
    current_transaction
    anti join flag_observation using (transaction_id)
    anti join known_settlement on known_settlement.settlement_id = current_transaction.explicit_settlement_id
where settled
group by current_transaction.terminal_id
