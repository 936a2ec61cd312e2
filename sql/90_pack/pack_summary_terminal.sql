-- pack     the summaries: exceptions and settlements by terminal
-- grain    one row per terminal with an exception, and one without a number for exceptions of no terminal
-- reads    pack_exceptions, pack_settlements
-- rule     R-22: exceptions; R-37: what the summaries show
-- silent   terminals without an exception; exceptions that are resolved; differences of PENDING settlements
with
    settlement_sum as (
        select
            "terminalId" as terminal_id,
            max("terminalName") as name,
            count(*) as settlements,
            count(*) filter(where "verdict" = 'BREAK') as breaks,
            sum("difference"::decimal(18, 2)) filter(
                where "verdict" in ('TIED', 'EXPLAINED', 'BREAK')
            ) as difference
        from pack_settlements
        group by "terminalId"
    ),
    exception_count as (
        select
            "terminalId" as terminal_id,
            count(*) filter(where "severity" = 'error') as errors,
            count(*) filter(where "severity" = 'warning') as warnings
        from pack_exceptions
        where "state" <> 'RESOLVED'
        group by "terminalId"
    )
select
    exception_count.terminal_id as "terminalId",
    settlement_sum.name as "terminalName",
    exception_count.errors as "errors",
    exception_count.warnings as "warnings",
    coalesce(settlement_sum.settlements, 0) as "settlements",
    coalesce(settlement_sum.breaks, 0) as "breaks",
    coalesce(settlement_sum.difference, 0.00) as "difference"
from exception_count left join settlement_sum using (terminal_id)
order by errors desc, warnings desc, try_cast(exception_count.terminal_id as bigint) nulls last
