-- pack     the summaries: exceptions by code, of all dates and of the range
-- grain    one row per code that occurs
-- reads    pack_exceptions
-- rule     R-22: exceptions; R-37: what the summaries show
-- silent   codes without an exception
with
    dated_exception as (
        select *, exception_day ("ageDays", "firstSeen") as day
        from pack_exceptions
    )
select
    "code" as "code",
    "severity" as "severity",
    count(*) as "count",
    count(*) filter(
        where day >= getvariable('from_date') and day < getvariable('to_date')
    ) as "ofRange",
    count(*) filter(where "state" in ('OPEN', 'ASSIGNED')) as "open",
    max("ageDays"::bigint) as "oldestDays"
from dated_exception
group by "code", "severity"
order by "severity" = 'warning', count(*) desc, "code"
