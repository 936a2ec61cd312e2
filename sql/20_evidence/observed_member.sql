-- model    observed_member
-- grain    one row per transaction whose settlement follows from the sweeps between which it became settled
-- reads    manual_member, observed_candidate
-- rule     R-05: the only settlement whose chosen event lies between the two sweeps
-- silent   transactions with several possible settlements, which arithmetic places; transactions that a person has placed
-- size     transactions, wide
select transaction_id, settlement_id, terminal_id, signed_cents
from observed_candidate
where settlements = 1 and transaction_id not in (select transaction_id from manual_member)
