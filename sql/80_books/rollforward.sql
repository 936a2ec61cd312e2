-- model    rollforward
-- grain    one row per terminal and business date, from the range's first to its last or as_of, and per later date of a posting
-- reads    clearing_entry
-- rule     R-25: opening + charges - refunds - voids - settled = closing
-- silent   terminals on which nothing was ever posted
with
    day_sum as (
        select
            terminal_id, date,
            coalesce(sum(clearing_cents) filter(where kind = 'C'), 0)::bigint as charge_cents,
            - coalesce(sum(clearing_cents) filter(where kind = 'R'), 0)::bigint as refund_cents,
            - coalesce(sum(clearing_cents) filter(where kind = 'V'), 0)::bigint as void_cents,
            - coalesce(sum(clearing_cents) filter(where kind = 'S'), 0)::bigint as settled_cents
        from clearing_entry
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
        from day_sum
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
        union
        -- A mistyped year must not give each terminal a row for every day up to it.
        select date
        from day_sum
        where date >= getvariable('from_date')
    ),
    day_movement as (
        select
            terminal_id, date, start_cents,
            coalesce(charge_cents, 0) as charge_cents,
            coalesce(refund_cents, 0) as refund_cents,
            coalesce(void_cents, 0) as void_cents,
            coalesce(settled_cents, 0) as settled_cents
        from brought_forward cross join calendar left join day_sum using (terminal_id, date)
    ),
    closing as (
        select
            terminal_id, date, charge_cents, refund_cents, void_cents, settled_cents,
            start_cents + (
                sum(charge_cents - refund_cents - void_cents - settled_cents) over (
                    partition by terminal_id
                    order by date
                )
            )::bigint as closing_cents
        from day_movement
    )
select
    terminal_id, date,
    closing_cents - (charge_cents - refund_cents - void_cents - settled_cents) as opening_cents,
    charge_cents, refund_cents, void_cents, settled_cents, closing_cents
from closing
