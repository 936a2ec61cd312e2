-- pack     the summaries: settlements by verdict
-- grain    one row per verdict, those without a settlement too
-- reads    pack_settlements
-- rule     R-10: the verdicts
-- silent   settlements outside of the range
with
    verdict as (
        select
            unnest(['BREAK', 'NO_DATA', 'EXPLAINED', 'PENDING', 'TIED']) as word,
            unnest([1, 2, 3, 4, 5]) as ordinal
    ),
    amounts as (
        select
            "verdict" as word,
            count(*) as settlements,
            sum("reportedNet"::decimal(18, 2)) as reported,
            sum("computedNet"::decimal(18, 2)) as computed,
            sum("difference"::decimal(18, 2)) as difference,
            sum("unexplainedAmount"::decimal(18, 2)) as unexplained
        from pack_settlements
        group by "verdict"
    )
select
    verdict.word as "verdict",
    coalesce(settlements, 0) as "settlements",
    coalesce(reported, 0.00) as "reportedNet",
    coalesce(computed, 0.00) as "computedNet",
    coalesce(difference, 0.00) as "difference",
    coalesce(unexplained, 0.00) as "unexplainedAmount"
from verdict left join amounts using (word)
order by ordinal
