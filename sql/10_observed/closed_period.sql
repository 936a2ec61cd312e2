-- model    closed_period
-- grain    one row per accounting period that is closed, with the first day of the next open one
-- reads    ops_audit
-- rule     R-35: nothing posts into a closed period
-- silent   decisions after audit_seq
with
    decision as (
        select subject as period, arg_max(action, seq) = 'period.close' as is_closed
        from ops_audit
        where
            account = getvariable('account')
            and seq <= getvariable('audit_seq')
            and action in ('period.close', 'period.reopen')
        group by subject
    ),
    closed_month as (
        select
            period,
            (period || '-01')::date as first_day,
            ((period || '-01')::date + interval 1 month)::date as next_day
        from decision
        where is_closed
    ),
    opening as (
        select next_day as opens_on
        from closed_month
        where next_day not in (select first_day from closed_month)
    )
select closed_month.period, min(opening.opens_on) as opens_on
from closed_month inner join opening on opening.opens_on > closed_month.first_day
group by closed_month.period
