-- pack     the summaries: exceptions and settlements by terminal
-- grain    one row per terminal with an exception, and one without a number for exceptions of no terminal
-- reads    pack_exceptions, pack_settlements
-- rule     R-22: exceptions; R-37: what the summaries show
-- silent   terminals without an exception; exceptions that are resolved
with
    settled as (
        select
            "terminalId" as terminal_id,
            max("terminalName") as name,
            count(*) as settlements,
            count(*) filter(where "verdict" = 'BREAK') as breaks,
            sum("difference"::decimal(18, 2)) as difference
        from pack_settlements
        group by "terminalId"
    ),
    flagged as (
        select
            "terminalId" as terminal_id,
            count(*) filter(where "severity" = 'error') as errors,
            count(*) filter(where "severity" = 'warning') as warnings
        from pack_exceptions
        where "state" <> 'RESOLVED'
        group by "terminalId"
    )
select
    flagged.terminal_id as "terminalId",
    settled.name as "terminalName",
    flagged.errors as "errors",
    flagged.warnings as "warnings",
    coalesce(settled.settlements, 0) as "settlements",
    coalesce(settled.breaks, 0) as "breaks",
    coalesce(settled.difference, 0.00) as "difference"
from
    flagged
    left join settled using (terminal_id)
order by errors desc, warnings desc, try_cast(flagged.terminal_id as bigint) nulls last
