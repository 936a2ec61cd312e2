-- model    compared_posting
-- grain    one row per posting of an entry that was exported, or whose date lies in a closed period
-- reads    closed_period, exported_line, posting
-- rule     R-36: such entries are compared with what was exported
-- silent   all other entries, which post on their own day
with
    closed_day as (
        select entry_date
        from
            (select distinct entry_date from posting)
            inner join closed_period on closed_period.period = strftime(entry_date, '%Y-%m')
    )
select *
from posting
where
    entry_id in (select origin_id from exported_line)
    or entry_date in (select entry_date from closed_day)
