-- model    entry_origin
-- grain    one row per entry that is compared with what was exported: the day on which a difference posts
-- reads    closed_period, compared_posting, exported_entry, exported_line
-- rule     R-35: nothing new in a closed period; R-36: an exported entry stays; R-40: a person names the day of a resolution
-- silent   entries that post on their own day
with
    due_entry as (
        select
            entry_id as origin_id,
            any_value(entry_date) as entry_date,
            any_value(settlement_id) as settlement_id
        from compared_posting
        group by entry_id
    ),
    exported_entry_sum as (
        select
            origin_id,
            min(line.entry_date) filter(where entry_id = origin_id) as own_date,
            min(line.entry_date) as entry_date,
            arg_max(line.entry_date, (audit_seq, line.entry_date)) as newest_date,
            any_value(line.settlement_id) as settlement_id,
            count(distinct entry_id) filter(where entry_id <> origin_id) as adjustments
        from exported_line as line left join exported_entry using (entry_id)
        group by origin_id
    ),
    origin as (
        select
            origin_id,
            coalesce(own_date, due_entry.entry_date, exported_entry_sum.entry_date) as entry_date,
            case
                when origin_id like 'RES-%' then coalesce(due_entry.entry_date, newest_date)
            end as named_date,
            coalesce(due_entry.settlement_id, exported_entry_sum.settlement_id) as settlement_id,
            coalesce(exported_entry_sum.adjustments, 0) as adjustments,
            exported_entry_sum.origin_id is not null as was_exported
        from due_entry full join exported_entry_sum using (origin_id)
    )
select
    origin.* exclude (named_date),
    coalesce(closed_period.opens_on, named_date, origin.entry_date) as post_date,
    -- An entry that an approved pack exported was not late.
    closed_period.period is not null
    and exported_entry.entry_id is null as is_late
from
    origin
    left join closed_period on closed_period.period = strftime(coalesce(named_date, origin.entry_date), '%Y-%m')
    left join exported_entry on exported_entry.entry_id = origin.origin_id
