-- model    explained_exception
-- grain    one row per exception of the settlement, of its members, and of records that it needs and that could not be read
-- reads    attribution, pack_exceptions, tieout
-- rule     R-22: an exception has an identity
-- silent   nothing
select "code", "subjectType", "subjectId", coalesce("detail", '') as "detail", "state"
from pack_exceptions
where
    ("subjectType" = 'settlement' and "subjectId" = getvariable('explained_id')::varchar)
    or (
        "subjectType" = 'transaction'
        and "subjectId" in (
            select transaction_id::varchar
            from attribution
            where settlement_id = getvariable('explained_id')
        )
    )
    or "code" = 'QUARANTINED'
    and "subjectType" || ' ' || "subjectId" in (
        select unnest(unreadable)
        from tieout
        where settlement_id = getvariable('explained_id')
    )
order by "code", "subjectId"
