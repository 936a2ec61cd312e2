-- pack     the summaries: settlements by verdict
-- grain    one row per verdict, those without a settlement too
-- reads    journal_line, pack_settlements
-- rule     R-10: the verdicts; R-27: a settlement created after as_of has posted nothing; R-35: the journal of the range may post another sum
-- silent   settlements outside of the range
with
    verdict as (
        select
            unnest(['BREAK', 'NO_DATA', 'EXPLAINED', 'PENDING', 'TIED']) as word,
            unnest([1, 2, 3, 4, 5]) as ordinal
    ),
    range_settlement as (
        select
            *,
            "status" = 'COMPLETE'
            and "created"::timestamp <= getvariable('as_of') as is_posted
        from pack_settlements
    ),
    amounts as (
        select
            "verdict" as word,
            count(*) as settlements,
            sum("reportedNet"::decimal(18, 2)) as reported,
            sum("computedNet"::decimal(18, 2)) as computed,
            sum("difference"::decimal(18, 2)) as difference,
            sum("unexplainedAmount"::decimal(18, 2)) as unexplained,
            count(*) filter(where is_posted) as posted_settlements,
            sum("reportedNet"::decimal(18, 2)) filter(where is_posted) as posted
        from range_settlement
        group by "verdict"
    ),
    journal as (
        select
            sum(coalesce(debit_cents, 0) - coalesce(credit_cents, 0)) filter(
                where account_key = 'cash_in_transit'
            ) as cash_cents
        from journal_line
    )
select
    verdict.word as "verdict",
    coalesce(settlements, 0) as "settlements",
    coalesce(reported, 0.00) as "reportedNet",
    coalesce(computed, 0.00) as "computedNet",
    coalesce(difference, 0.00) as "difference",
    coalesce(unexplained, 0.00) as "unexplainedAmount",
    coalesce(posted_settlements, 0) as "postedSettlements",
    coalesce(posted, 0.00) as "postedNet",
    money(coalesce(cash_cents, 0)) as "journalNet"
from verdict left join amounts using (word) cross join journal
order by ordinal
