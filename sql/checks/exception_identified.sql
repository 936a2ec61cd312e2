-- check    exception_identified
-- grain    one row per exception id that stands for more than one finding
-- reads    exception
-- rule     R-22: account, code and subject make one exception
-- silent   nothing
select exception_id, count(*) as findings
from exception
group by exception_id
having count(*) > 1
