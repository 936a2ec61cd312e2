-- model    rollforward
-- grain    one row per terminal and business date, from the range's first to its last, as_of or the last posting, whichever is latest
-- reads    closed_period, exported_entry, exported_line, standing_by_day, tieout, transaction_standing
-- rule     R-25: opening + charges - refunds - voids - settled = closing, taken from the transactions and not from the journal; R-36: on the day it posts
-- silent   terminals on which nothing was ever posted
with
    counted as (
        select
            case action
                when 'CHARGE' then 'C'
                else 'R'
            end as kind,
            terminal_id,
            business_date as date,
            signed_cents as clearing_cents,
            null::bigint as settlement_id
        from standing_by_day
        where place <> 'NONE'
        union all
        select
            'V',
            terminal_id,
            voided_date,
            - signed_cents,
            null
        from transaction_standing
        where place = 'VOIDED'
        union all
        select
            'S',
            terminal_id,
            business_date,
            - computed_cents,
            settlement_id
        from tieout
        where
            status = 'COMPLETE'
            and verdict <> 'NO_DATA'
            and created <= getvariable('as_of')
    ),
    due as (
        select
            case kind
                when 'S' then 'S-' || settlement_id::varchar
                else kind || '-' || terminal_id::varchar || '-' || strftime(date, '%Y%m%d')
            end as origin_id,
            terminal_id,
            date,
            sum(clearing_cents)::bigint as clearing_cents
        from counted
        group by kind, terminal_id, date, settlement_id
    ),
    exported as (
        select
            origin_id,
            any_value(terminal_id) as terminal_id,
            min(entry_date) as date,
            coalesce(
                sum(amount_cents) filter(where account_key = 'clearing'),
                0
            )::bigint as clearing_cents
        from exported_line
        group by origin_id
    ),
    -- What an approved pack said stays on its day; the rest of what the transactions say follows on the day it posts.
    remaining as (
        select
            origin_id,
            coalesce(due.terminal_id, exported.terminal_id) as terminal_id,
            coalesce(due.date, exported.date) as date,
            coalesce(due.clearing_cents, 0) - coalesce(exported.clearing_cents, 0) as clearing_cents,
            exported.origin_id is not null
            or exported_entry.entry_id is null as may_be_late
        from
            due
            full join exported using (origin_id)
            left join exported_entry on exported_entry.entry_id = origin_id
    ),
    posted as (
        select
            left(origin_id, 1) as kind,
            terminal_id,
            entry_date as date,
            amount_cents as clearing_cents
        from exported_line
        where account_key = 'clearing'
        union all
        select
            left(origin_id, 1),
            terminal_id,
            case
                when may_be_late then coalesce(opens_on, date)
                else date
            end,
            clearing_cents
        from
            remaining
            left join closed_period on closed_period.period = strftime(date, '%Y-%m')
        where clearing_cents <> 0
    ),
    movement as (
        select
            terminal_id,
            date,
            case
                when kind = 'C' then clearing_cents
                else 0
            end as charge_cents,
            case
                when kind = 'R' then -clearing_cents
                else 0
            end as refund_cents,
            case
                when kind = 'V' then -clearing_cents
                else 0
            end as void_cents,
            case
                when kind = 'S' then -clearing_cents
                else 0
            end as settled_cents
        from posted
    ),
    by_day as (
        select
            terminal_id,
            date,
            sum(charge_cents)::bigint as charge_cents,
            sum(refund_cents)::bigint as refund_cents,
            sum(void_cents)::bigint as void_cents,
            sum(settled_cents)::bigint as settled_cents
        from movement
        group by terminal_id, date
    ),
    brought_forward as (
        select
            terminal_id,
            coalesce(
                sum(charge_cents - refund_cents - void_cents - settled_cents) filter(
                    where date < getvariable('from_date')
                ),
                0
            )::bigint as start_cents
        from by_day
        group by terminal_id
    ),
    calendar as (
        select
            unnest(
                generate_series(
                    getvariable('from_date'),
                    greatest(
                        getvariable('to_date') - 1,
                        getvariable('as_of_date'),
                        (select max(date) from by_day)
                    ),
                    interval 1 day
                )
            )::date as date
    ),
    moved as (
        select
            terminal_id,
            date,
            start_cents,
            coalesce(charge_cents, 0) as charge_cents,
            coalesce(refund_cents, 0) as refund_cents,
            coalesce(void_cents, 0) as void_cents,
            coalesce(settled_cents, 0) as settled_cents
        from
            brought_forward
            cross join calendar
            left join by_day using (terminal_id, date)
    ),
    closed as (
        select
            terminal_id,
            date,
            charge_cents,
            refund_cents,
            void_cents,
            settled_cents,
            start_cents + (
                sum(charge_cents - refund_cents - void_cents - settled_cents) over (
                    partition by terminal_id
                    order by date
                )
            )::bigint as closing_cents
        from moved
    )
select
    terminal_id,
    date,
    closing_cents - (charge_cents - refund_cents - void_cents - settled_cents) as opening_cents,
    charge_cents,
    refund_cents,
    void_cents,
    settled_cents,
    closing_cents
from closed
