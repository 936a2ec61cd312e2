-- pack     the summaries: how sure it is which transactions are in the settlements that tie
-- grain    one row per certificate, those without a settlement too
-- reads    pack_settlements
-- rule     R-09: the certificates; R-37: what the summaries show
-- silent   PENDING settlements, which have no certificate
with
    certificate as (
        select unnest(['UNIQUE', 'AMBIGUOUS', 'UNSOLVED']) as word, unnest([1, 2, 3]) as ordinal
    )
select
    certificate.word as "certificate",
    count("settlementId") as "settlements",
    coalesce(sum("reportedNet"::decimal(18, 2)), 0.00) as "reportedNet"
from certificate left join pack_settlements on pack_settlements."certificate" = certificate.word
group by certificate.word, ordinal
order by ordinal
