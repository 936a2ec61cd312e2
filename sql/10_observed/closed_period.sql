-- model    closed_period
-- grain    one row per accounting period that is closed, with the first day of the next open one
-- reads    ops_audit
-- rule     R-35: nothing posts into a closed period
-- silent   what was decided after audit_seq
with
    decided as (
        select
            subject as period,
            arg_max(action, seq) = 'period.close' as is_closed
        from ops_audit
        where
            account = getvariable('account')
            and seq <= getvariable('audit_seq')
            and action in ('period.close', 'period.reopen')
        group by subject
    ),
    closed as (
        select
            period,
            (period || '-01')::date as first_day,
            ((period || '-01')::date + interval 1 month)::date as next_day
        from decided
        where is_closed
    ),
    opening as (
        select next_day as opens_on
        from closed
        where next_day not in (select first_day from closed)
    )
select
    closed.period,
    min(opening.opens_on) as opens_on
from
    closed
    inner join opening on opening.opens_on > closed.first_day
group by closed.period
