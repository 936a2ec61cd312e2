-- pack     the summaries: exceptions by code, of all dates and of the range
-- grain    one row per code that occurs
-- reads    pack_exceptions
-- rule     R-22: exceptions; R-37: what the summaries show
-- silent   codes without an exception
select
    "code" as "code",
    "severity" as "severity",
    count(*) as "count",
    count(*) filter(
        where
            getvariable('as_of_date') - "ageDays"::integer >= getvariable('from_date')
            and getvariable('as_of_date') - "ageDays"::integer < getvariable('to_date')
    ) as "ofRange",
    count(*) filter(where "state" in ('OPEN', 'ASSIGNED')) as "open",
    max("ageDays"::bigint) as "oldestDays"
from pack_exceptions
group by "code", "severity"
order by "severity" = 'warning', count(*) desc, "code"
