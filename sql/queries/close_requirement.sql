-- model    close_requirement
-- grain    one row per item of the checklist that earlier decisions decide, for the period from $1 to before $2
-- reads    lake.ops.audit, lake.ops.exception_scan, lake.ops.exported_line, lake.ops.landing, lake.ops.run, lake.ops.sweep, lake.result.export
-- rule     R-71: the checklist of a period
-- silent   items whose number is zero
with
    period as (
        select $1::date as first_day, $2::date as next_day, business_date(now()::timestamp) as today
    ),
    period_state as (
        select subject as month, arg_max(action, seq) as action
        from lake.ops.audit
        where account = getvariable('account') and starts_with(action, 'period.')
        group by subject
    ),
    exported_line as (
        from lake.ops.exported_line
        where account = getvariable('account')
    ),
    earlier_month as (
        select distinct strftime(entry_date, '%Y-%m') as month
        from exported_line cross join period
        where entry_date < first_day
    ),
    open_month as (
        select month
        from earlier_month left join period_state using (month)
        where action is distinct from 'period.close'
    ),
    -- Imported records have a landing and no sweep. A sweep that read nothing new has no landing.
    reading as (
        select landing_seq, ended_at as read_at
        from lake.ops.sweep
        where account = getvariable('account')
        union all
        select landing_seq, observed_at
        from lake.ops.landing
        where account = getvariable('account')
    ),
    approved_run as (
        select window_from, window_to, as_of, known_at
        from lake.ops.run
        where
            account = getvariable('account')
            and run_id in (
                select subject
                from lake.ops.audit
                where account = getvariable('account') and action = 'pack.approve'
            )
    ),
    -- A pack covers no day after its last reading, and no day after its as_of.
    approved_range as (
        select
            window_from,
            least(window_to, business_date(least(as_of, arg_max(read_at, landing_seq)))) as covered_to
        from approved_run inner join reading on landing_seq <= known_at
        group by window_from, window_to, as_of, known_at
    ),
    period_day as (
        select unnest(generate_series(first_day, next_day - 1, interval 1 day))::date as date
        from period
    ),
    unapproved_day as (
        select date
        from period_day
        where not exists (from approved_range where date >= window_from and date < covered_to)
    ),
    -- The newest run that covers a day decides which entries the day has.
    newest_run_of_day as (
        select date as entry_date, arg_max(run_id, scan_seq) as run_id
        from
            period_day
            inner join lake.ops.run as run on date >= window_from
            and date < window_to
            inner join lake.ops.exception_scan as scan using (run_id)
        where run.account = getvariable('account')
        group by date
    ),
    -- The newest run has an entry on an approved day that no approved pack exported. The earlier approval does not cover that
    -- entry.
    unapproved_entry as (
        select distinct entry_id
        from lake.result.export inner join newest_run_of_day using (run_id, entry_date)
        where
            entry_id not in (select entry_id from exported_line)
            and entry_date not in (select date from unapproved_day)
    ),
    item as (
        select
            1 as ordinal,
            'month not over' as name,
            true as is_blocker, 1 as number,
            null::bigint as amount_cents
        from period
        where next_day > today
        union all
        -- A run whose as_of lies before the month's end does not show every exception of the month.
        select 2, 'newest run before the month''s end', true, 1, null
        from period
        where business_date(getvariable('as_of')) < next_day and next_day <= today
        union all
        select 4, 'earlier month open', true, count(*), null
        from open_month
        union all
        select 5, 'day without an approved pack', true, count(*), null
        from unapproved_day
        union all
        select 6, 'entry without approval', true, count(*), null
        from unapproved_entry
    )
select name, is_blocker, number::integer as number, amount_cents::varchar as amount_cents
from item
where number > 0
order by ordinal
