-- model    unplaced_settled_transaction
-- grain    one row per settled transaction that neither a person, an id nor an observation places
-- reads    current_transaction, earliest_settled_time, known_settlement, manual_member, observed_member
-- rule     R-07: arithmetic places the transactions that no better evidence places
-- silent   nothing; a transaction whose settlement id is unknown counts as one without an id
-- size     transactions
-- drop     after its last reader
select
    transaction_id, terminal_id, signed_cents,
    clock_time ('created', created, last_modified, after_at) as created,
    clock_time ('modified', created, last_modified, after_at) as modified
from
    current_transaction
    left join earliest_settled_time using (transaction_id)
    anti join known_settlement on known_settlement.settlement_id = current_transaction.explicit_settlement_id
    anti join observed_member using (transaction_id)
    anti join manual_member using (transaction_id)
where settled
