-- model    refund_at_risk
-- grain    one row per approved card refund that the charges of its fine key in the 12 months before don't cover, by itself or with the refunds around it
-- reads    current_transaction, enum_value
-- rule     R-18: charged are approved charges that are not VOID; the window is closed at both ends, in UTC
-- silent   ACH, which has no card; VOID refunds
with
    refunded_card as (
        select
            fine_key,
            min(created) as first_refund_at,
            -- The latest start of any of its windows. Taking 12 months off the last refund would not do: 28 and 29 February start on the same day.
            max(created - interval 12 months) as last_start_at,
            sum(total_cents)::bigint as refund_cents
        from current_transaction
        where
            fine_key is not null
            and action = 'REFUND'::enum_value
            and approved
            and status <> 'VOID'::enum_value
        group by fine_key
    ),
    -- Charges between the last start and some instant lie in the window of every refund from that instant on. Where they
    -- cover all refunds of the card, none of these can exceed, under either reading. Of a short history the first refund is
    -- such an instant for nearly all cards; the others are compared by stretches of some 13 days, and only those that fail go on.
    charged_before as (
        select
            refunded_card.fine_key,
            sum(total_cents) as charge_cents
        from
            current_transaction
            inner join refunded_card on refunded_card.fine_key = current_transaction.fine_key
            and current_transaction.created >= refunded_card.last_start_at
            and current_transaction.created <= refunded_card.first_refund_at
        where
            action = 'CHARGE'::enum_value
            and approved
            and status <> 'VOID'::enum_value
        group by refunded_card.fine_key
    ),
    uncovered_card as (
        select fine_key
        from
            refunded_card
            left join charged_before using (fine_key)
        where coalesce(charged_before.charge_cents, 0) < refund_cents
    ),
    -- A shift makes stretches of 2^40 microseconds, 12.7 days, faster than a division. In the window of each refund of one lie
    -- the 27 before it, and nothing from before the 29th.
    summed_stretch as (
        select
            uncovered_card.fine_key,
            epoch_us(created) >> 40 as stretch,
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
            inner join uncovered_card on uncovered_card.fine_key = current_transaction.fine_key
        where
            approved
            and status <> 'VOID'::enum_value
        group by uncovered_card.fine_key, stretch
    ),
    compared_stretch as (
        select
            fine_key,
            stretch,
            refund_cents,
            sum(charge_cents) over (
                partition by fine_key
                order by stretch range between 27 preceding and 1 preceding
            ) as charged_cents,
            sum(refund_cents) over (
                partition by fine_key
                order by stretch range between 29 preceding and current row
            ) as refunded_cents
        from summed_stretch
    ),
    open_card as (
        select
            fine_key,
            make_timestamp(min(stretch) * 1099511627776) as first_at,
            make_timestamp((max(stretch) + 1) * 1099511627776) as until_at
        from compared_stretch
        where
            refund_cents > 0
            and refunded_cents > coalesce(charged_cents, 0)
        group by fine_key
    ),
    -- What is neither a charge nor a refund counts nothing here; to leave it out would cost more, asked of every transaction.
    item as (
        select
            transaction_id,
            terminal_id,
            created,
            coarse_key,
            current_transaction.fine_key,
            case
                when action = 'CHARGE'::enum_value then total_cents
                else 0
            end as charge_cents,
            case
                when action = 'REFUND'::enum_value then total_cents
                else 0
            end as refund_cents,
            current_transaction.created >= open_card.first_at as is_open
        from
            current_transaction
            inner join open_card on open_card.fine_key = current_transaction.fine_key
            and current_transaction.created >= open_card.first_at - interval 366 days
            and current_transaction.created < open_card.until_at
        where
            approved
            and status <> 'VOID'::enum_value
    ),
    summed as (
        select
            transaction_id,
            terminal_id,
            created,
            created - interval 12 months as window_start,
            coarse_key,
            fine_key,
            refund_cents,
            is_open,
            sum(charge_cents) over in_window::bigint as charged_fine_cents,
            sum(refund_cents) over in_window::bigint as refunded_in_window_cents
        from item
        window
            in_window as (
                partition by fine_key
                order by created range between interval 12 months preceding and current row
            )
    )
select
    transaction_id,
    terminal_id,
    created,
    window_start,
    coarse_key,
    fine_key,
    refund_cents,
    charged_fine_cents,
    refunded_in_window_cents,
    -- Of the refunds of the same instant, which are all at risk if one is, those with a higher id are not before this one.
    refunded_in_window_cents - sum(refund_cents) over (
        partition by fine_key, created
        order by transaction_id rows between current row and unbounded following
    )::bigint as refunded_before_cents
from summed
where
    refund_cents > 0
    -- What is older is there for the windows of the others.
    and is_open
    and refunded_in_window_cents > charged_fine_cents
