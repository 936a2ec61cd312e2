-- pack     the summaries: net by day, with the number of settlements that differ
-- grain    one row per business date on which a settlement of the range was created
-- reads    pack_settlements
-- rule     R-10: reported against computed; R-37: what the summaries show
-- silent   days without a settlement
with
    judged_settlement as (
        select
            "businessDate" as date,
            "verdict" in ('TIED', 'EXPLAINED', 'BREAK') as is_judged,
            "reportedNet"::decimal(18, 2) as reported,
            "computedNet"::decimal(18, 2) as computed,
            "difference"::decimal(18, 2) as difference
        from pack_settlements
    )
select
    date as "date",
    count(*) as "settlements",
    count(*) filter(where not is_judged) as "notJudged",
    count(*) filter(where is_judged and difference <> 0) as "differing",
    coalesce(sum(reported) filter(where is_judged), 0.00) as "reportedNet",
    coalesce(sum(computed) filter(where is_judged), 0.00) as "computedNet",
    coalesce(sum(difference) filter(where is_judged), 0.00) as "difference",
    coalesce(sum(reported) filter(where not is_judged), 0.00) as "notJudgedNet"
from judged_settlement
group by date
order by date
