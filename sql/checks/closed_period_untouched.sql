-- check    closed_period_untouched
-- grain    one row per new line that would post into a closed period
-- reads    closed_period, posted_line
-- rule     R-35: nothing posts into a closed period
-- silent   lines that an approved pack had before the period was closed
select entry_id, entry_date, period
from posted_line inner join closed_period on closed_period.period = strftime(entry_date, '%Y-%m')
where is_new
