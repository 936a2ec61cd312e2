-- model    explained_chance
-- grain    at most one row: how many nets a settlement that ties out between two others may have, if it may tie out by chance
-- reads    attribution, current_transaction, tieout
-- rule     R-09: without other rivals, the one that the model tieout counts stands for chance
-- silent   nothing
select (count(*) * count(*))::varchar as nets
from attribution inner join current_transaction using (transaction_id)
where
    attribution.settlement_id in (
        select settlement_id
        from tieout
        where
            settlement_id = getvariable('explained_id')
            and verdict = 'TIED'
            and method = 'ALIGNED'
            and certificate = 'AMBIGUOUS'
            and rival_count = 1
            and coalesce(explanation, '') <> 'CUTOFF_SHIFT'
    )
having may_tie_by_chance (count(*), sum(abs(current_transaction.signed_cents)))
