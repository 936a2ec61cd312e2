-- model    observed_member
-- grain    one row per transaction whose settlement follows from when it was seen to turn settled
-- reads    manual_member, observed_candidate
-- rule     R-05: the one settlement that was created, or became COMPLETE, in the span; the data show which of the two turns the flag
-- silent   transactions with several possible settlements, which arithmetic places; transactions that a person has placed
-- size     transactions, wide
select transaction_id, settlement_id, terminal_id, signed_cents
from observed_candidate
where settlements = 1 and transaction_id not in (select transaction_id from manual_member)
