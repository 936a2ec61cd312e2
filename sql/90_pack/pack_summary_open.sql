-- pack     the summaries: open items, those of the range apart from older ones
-- grain    one row for items since the range began, one for items that are older
-- reads    pack_worklist
-- rule     R-69: an open item of any date stays in the summary
-- silent   exceptions that are waived or resolved
with
    part as (
        select unnest(['RANGE', 'EARLIER']) as word, unnest([1, 2]) as ordinal
    ),
    item as (
        select
            case
                when "since"::date < getvariable('from_date') then 'EARLIER'
                else 'RANGE'
            end as word,
            abs("amount"::decimal(18, 2)) as amount,
            "since" as since,
            "ageDays"::bigint as age_days
        from pack_worklist
    )
select
    part.word as "part",
    count(item.word) as "items",
    coalesce(sum(amount), 0.00) as "gross",
    min(since) as "oldest",
    max(age_days) as "oldestDays"
from part left join item using (word)
group by part.word, ordinal
order by ordinal
