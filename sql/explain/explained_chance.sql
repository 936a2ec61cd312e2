-- model    explained_chance
-- grain    at most one row: how many nets a settlement that ties out between two others may have, if it may tie out by chance
-- reads    attribution, certificate_reason
-- rule     R-09: each of its cut-offs may lie at as many positions as it has transactions
-- silent   nothing
select (count(*) * count(*))::varchar as nets
from attribution
where
    settlement_id in (
        select settlement_id
        from certificate_reason
        where settlement_id = getvariable('explained_id') and reason = 'CHANCE'
    )
having count(*) > 0
