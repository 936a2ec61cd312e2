-- pack     the summaries: what is not settled, by age
-- grain    one row per bucket of calendar days, empty ones too
-- reads    pack_unsettled
-- rule     R-14: what is open, its age and its bucket
-- silent   members of PENDING settlements, and orphans
with
    bucket as (
        select
            unnest(['0-1', '2-5', '6-10', '11-30', '>30']) as word,
            unnest([1, 2, 3, 4, 5]) as ordinal
    ),
    item as (
        select
            "bucket" as word,
            "signedAmount"::decimal(18, 2) as amount,
            "action" = 'REFUND' as is_refund
        from pack_unsettled
    )
select
    bucket.word as "bucket",
    count(item.word) as "count",
    count(item.word) filter(where not is_refund) as "chargeCount",
    coalesce(sum(amount) filter(where not is_refund), 0.00) as "chargeAmount",
    count(item.word) filter(where is_refund) as "refundCount",
    coalesce(- sum(amount) filter(where is_refund), 0.00) as "refundAmount",
    coalesce(sum(amount), 0.00) as "signedAmount"
from bucket left join item using (word)
group by bucket.word, ordinal
order by ordinal
