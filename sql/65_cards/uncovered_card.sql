-- model    uncovered_card
-- grain    one row per fine key whose charges possibly do not cover its refunds, with the time span of these refunds
-- reads    current_transaction, enum_value
-- rule     R-18: only charges that are settled, or approved and not VOID, count; the window includes both its ends, in UTC
-- silent   cards whose totals by bucket of time already show that each refund is covered
with
    card_refunds as (
        select
            fine_key,
            min(created) as first_refund_at,
            -- The latest start of any of the card's windows. The last refund less 12 months would be wrong: 28 and 29 February start on the same day.
            max(created - refund_window ()) as last_start_at,
            sum(total_cents)::bigint as refund_cents
        from current_transaction
        where
            fine_key is not null
            and action = 'REFUND'::enum_value
            and moves_money (settled, approved, status = 'VOID'::enum_value)
        group by fine_key
    ),
    -- Charges between the last start and some instant lie in the window of every refund from that instant on. If they cover all
    -- refunds of the card, none of these can exceed its charges, under either reading. A short history proves nearly all cards
    -- with the first refund as that instant. The others are compared by buckets of some 13 days, and only those that fail go on.
    charged_before as (
        select card_refunds.fine_key, sum(total_cents) as charge_cents
        from
            current_transaction
            inner join card_refunds on card_refunds.fine_key = current_transaction.fine_key
            and current_transaction.created >= card_refunds.last_start_at
            and current_transaction.created <= card_refunds.first_refund_at
        where
            action = 'CHARGE'::enum_value
            and moves_money (settled, approved, status = 'VOID'::enum_value)
        group by card_refunds.fine_key
    ),
    unproven_card as (
        select fine_key
        from card_refunds left join charged_before using (fine_key)
        where coalesce(charged_before.charge_cents, 0) < refund_cents
    ),
    -- A bit shift makes buckets of 2^40 microseconds, 12.7 days, faster than a division. The window of a refund contains the 27
    -- buckets before its own, and nothing from before the 29th.
    bucket_sum as (
        select
            unproven_card.fine_key,
            epoch_us(created) >> 40 as bucket,
            coalesce(
                sum(total_cents) filter(where action = 'CHARGE'::enum_value),
                0
            )::bigint as charge_cents,
            coalesce(
                sum(total_cents) filter(where action = 'REFUND'::enum_value),
                0
            )::bigint as refund_cents
        from
            current_transaction
            inner join unproven_card on unproven_card.fine_key = current_transaction.fine_key
        where moves_money (settled, approved, status = 'VOID'::enum_value)
        group by unproven_card.fine_key, bucket
    ),
    bucket_window as (
        select
            fine_key, bucket, refund_cents,
            sum(charge_cents) over (
                partition by fine_key
                order by bucket range between 27 preceding and 1 preceding
            ) as charged_cents,
            sum(refund_cents) over (
                partition by fine_key
                order by bucket range between 29 preceding and current row
            ) as refunded_cents
        from bucket_sum
    )
select
    fine_key,
    make_timestamp(min(bucket) * 1099511627776) as first_at,
    make_timestamp((max(bucket) + 1) * 1099511627776) as until_at
from bucket_window
where refund_cents > 0 and refunded_cents > coalesce(charged_cents, 0)
group by fine_key
