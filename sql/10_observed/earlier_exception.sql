-- model    earlier_exception
-- grain    one row per exception that an earlier run found
-- reads    ops_exception_seen
-- rule     R-22: an exception retains the day on which it was first seen
-- silent   exceptions that a run found from landings after known_at
select exception_id, min(first_seen) as first_seen
from ops_exception_seen
where account = getvariable('account') and known_at <= getvariable('known_at')
group by exception_id
