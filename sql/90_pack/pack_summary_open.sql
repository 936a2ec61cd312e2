-- pack     the summaries: open items of the range, older ones, later ones, and all
-- grain    one row per part of the dates, and one for all items
-- reads    pack_exceptions, pack_worklist
-- rule     R-69: an open item of any date stays in the summary; R-68: differences are not added to other amounts
-- silent   exceptions that are waived or resolved
with
    part as (
        select unnest(['RANGE', 'EARLIER', 'LATER', 'ALL']) as word, unnest([1, 2, 3, 4]) as ordinal
    ),
    open_mismatch as (
        select
            "subjectType" as subject_type,
            "subjectId" as subject_id,
            abs("amount"::decimal(18, 2)) as difference
        from pack_exceptions
        where "code" = 'AMOUNT_MISMATCH' and "state" in ('OPEN', 'ASSIGNED')
    ),
    item as (
        select
            case
                when "since"::date < getvariable('from_date') then 'EARLIER'
                when "since"::date >= getvariable('to_date') then 'LATER'
                else 'RANGE'
            end as word, difference,
            case when difference is null then abs("amount"::decimal(18, 2)) end as other_amount,
            "since" as since,
            "ageDays"::bigint as age_days
        from
            pack_worklist
            left join open_mismatch on open_mismatch.subject_type = "subjectType"
            and open_mismatch.subject_id = "subjectId"
    )
select
    part.word as "part",
    count(item.word) as "items",
    coalesce(sum(difference), 0.00) as "differenceGross",
    coalesce(sum(other_amount), 0.00) as "otherGross",
    min(since) as "oldest",
    max(age_days) as "oldestDays"
from part left join item on part.word in (item.word, 'ALL')
group by part.word, ordinal
order by ordinal
