-- model    close_item
-- grain    one row per item of the checklist that records decide, for the period from $1 to before $2, with its number and amount
-- reads    current_exception, lake.ops.exported_line, lake.seen.settlement_version
-- rule     R-71: the checklist of a period
-- silent   items whose number is zero
with
    period as (
        select $1::date as first_day, $2::date as next_day, business_date(now()::timestamp) as today
    ),
    exception_of_month as (
        select current_exception.*, try_cast(replace(amount, '.', '') as bigint) as amount_cents
        from current_exception cross join period
        where exception_day ("ageDays", "firstSeen") between first_day and next_day - 1
    ),
    open_mismatch as (
        select amount_cents, named_explanation (detail) not in ('', 'UNEXPLAINED') as is_explained
        from exception_of_month
        where code = 'AMOUNT_MISMATCH' and state in ('OPEN', 'ASSIGNED')
    ),
    exported_line as (
        from lake.ops.exported_line
        where account = getvariable('account')
    ),
    newest_settlement as (
        from lake.seen.settlement_version
        where account = getvariable('account')
        qualify
            row_number() over (
                partition by settlement_id
                order by landing_seq desc, ordinal desc
            ) = 1
    ),
    pending_settlement as (
        select net_cents
        from newest_settlement cross join period
        where
            status <> 'COMPLETE'
            and business_date(created) >= first_day
            and business_date(created) < next_day
    ),
    item as (
        select
            2 as ordinal,
            'unexplained difference' as name,
            true as is_blocker,
            count(*) as number,
            sum(abs(amount_cents))::bigint as amount_cents
        from open_mismatch
        where not is_explained
        union all
        select 3, 'uncertified sweep', true, getvariable('uncertified_lists'), null
        union all
        select 6, 'explained difference', false, count(*), sum(abs(amount_cents))::bigint
        from open_mismatch
        where is_explained
        union all
        select 7, 'waived difference', false, count(*), sum(abs(amount_cents))::bigint
        from exception_of_month
        where code = 'AMOUNT_MISMATCH' and state = 'WAIVED'
        union all
        select 8, 'other open error', false, count(*), null
        from exception_of_month
        where code <> 'AMOUNT_MISMATCH' and severity = 'error' and state in ('OPEN', 'ASSIGNED')
        union all
        select 9, 'PENDING settlement', false, count(*), sum(net_cents)::bigint
        from pending_settlement
        union all
        select
            10,
            'suspense balance',
            false,
            count(distinct settlement_id),
            sum(amount_cents)::bigint
        from exported_line cross join period
        where account_key = 'suspense' and entry_date < next_day
        having sum(amount_cents) <> 0
    )
select name, is_blocker, number::integer as number, amount_cents::varchar as amount_cents
from item
where number > 0
order by ordinal
