-- model    contradicted_pair_move
-- grain    one row per transaction and settlement of a pair that it can't move to, because sweeps saw it settle in another settlement
-- reads    observed_candidate, pair_late_transaction, pair_move
-- rule     R-05: an observation goes before arithmetic
-- silent   transactions that no sweep saw become settled: they may move anywhere
with
    possible_move as (
        select transaction_id, to_settlement_id
        from pair_move
        union
        select transaction_id, later_id
        from pair_late_transaction
    )
select transaction_id, to_settlement_id
from
    possible_move
    semi join observed_candidate using (transaction_id)
    anti join observed_candidate as own on own.transaction_id = possible_move.transaction_id
    and own.settlement_id = possible_move.to_settlement_id
