-- model    explained_chance
-- grain    at most one row: the number of possible nets of a settlement that ties but whose neighbours do not, if it may tie by chance
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
