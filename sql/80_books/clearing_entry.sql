-- model    clearing_entry
-- grain    one row per entry and day on which it moves the clearing account, computed from transactions and not from the journal
-- reads    closed_period, exported_entry, exported_line, standing_by_day, tieout, transaction_standing
-- rule     R-25: charges, refunds, voids and settled amounts, taken from the transactions; R-36: on the day it posts
-- silent   amounts of zero
with
    item as (
        select
            case action
                when 'CHARGE' then 'C'
                else 'R'
            end as kind, terminal_id, business_date as date, signed_cents as clearing_cents,
            null::bigint as settlement_id
        from standing_by_day
        where standing <> 'NONE'
        union all
        select 'V', terminal_id, voided_date, - signed_cents, null
        from transaction_standing
        where standing = 'VOIDED'
        union all
        select
            'S',
            terminal_id, business_date,
            case when verdict = 'NO_DATA' then 0 else -computed_cents end,
            settlement_id
        from tieout
        where status = 'COMPLETE' and created <= getvariable('as_of')
    ),
    due_entry as (
        select
            case kind
                when 'S' then 'S-' || settlement_id::varchar
                else kind || '-' || terminal_id::varchar || '-' || strftime(date, '%Y%m%d')
            end as origin_id, terminal_id, date,
            sum(clearing_cents)::bigint as clearing_cents
        from item
        group by kind, terminal_id, date, settlement_id
    ),
    exported_day as (
        select
            origin_id,
            min(entry_date) filter(where entry_id = origin_id) as own_date,
            min(entry_date) as date
        from exported_line
        group by origin_id
    ),
    signed_entry as (
        select origin_id, terminal_id, clearing_cents
        from due_entry
        union all
        select origin_id, terminal_id, - amount_cents
        from exported_line
        where account_key = 'clearing'
    ),
    difference as (
        select origin_id, terminal_id, sum(clearing_cents)::bigint as clearing_cents
        from signed_entry
        group by origin_id, terminal_id
        having sum(clearing_cents) <> 0
    ),
    -- Exported amounts stay on their day. The remainder is on the day on which it posts: if the period is closed, the first of
    -- the next open one.
    remainder as (
        select
            origin_id, difference.terminal_id,
            coalesce(own_date, due_entry.date, exported_day.date) as date,
            difference.clearing_cents,
            exported_day.origin_id is not null
            or exported_entry.entry_id is null as may_be_late
        from
            difference
            left join due_entry using (origin_id)
            left join exported_day using (origin_id)
            left join exported_entry on exported_entry.entry_id = origin_id
    )
select left(origin_id, 1) as kind, terminal_id, entry_date as date, amount_cents as clearing_cents
from exported_line
where account_key = 'clearing'
union all
select
    left(origin_id, 1),
    terminal_id,
    case when may_be_late then coalesce(opens_on, date) else date end,
    clearing_cents
from remainder left join closed_period on closed_period.period = strftime(date, '%Y-%m')
