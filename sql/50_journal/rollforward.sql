-- model    rollforward
-- grain    one row per terminal and business date, from the range's first to its last or as_of, whichever is later
-- reads    placed_transaction, tieout
-- rule     R-25: opening + charges - refunds - voids - settled = closing, taken from the transactions and not from the journal
-- silent   terminals on which nothing was ever posted
with
    movement as (
        select
            terminal_id,
            business_date as date,
            case
                when action = 'CHARGE' then total_cents
                else 0
            end as charge_cents,
            case
                when action = 'REFUND' then total_cents
                else 0
            end as refund_cents,
            0::bigint as void_cents,
            0::bigint as settled_cents
        from placed_transaction
        where place in ('COMPLETE', 'PENDING', 'ORPHAN', 'OPEN', 'VOIDED')
        union all
        select
            terminal_id,
            voided_date,
            0,
            0,
            signed_cents,
            0
        from placed_transaction
        where place = 'VOIDED'
        union all
        select
            terminal_id,
            business_date,
            0,
            0,
            0,
            computed_cents
        from tieout
        where
            status = 'COMPLETE'
            and verdict <> 'NO_DATA'
            and created <= getvariable('as_of')
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
                    greatest(getvariable('to_date') - 1, getvariable('as_of_date')),
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
