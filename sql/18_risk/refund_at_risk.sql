-- model    refund_at_risk
-- grain    one row per approved card refund that the charges of its fine key in the 12 months before don't cover, by itself or with the refunds around it
-- reads    current_transaction
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
            and action = 'REFUND'::word
            and approved
            and status <> 'VOID'::word
        group by fine_key
    ),
    -- Charges between the last start and some instant lie in the window of every refund from that instant on. Where they
    -- cover all refunds of the card, none of these can exceed, under either reading. The first refund is such an instant
    -- for nearly all cards; for the others it is looked for at the ends of weeks, and only the first weeks go on.
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
            action = 'CHARGE'::word
            and approved
            and status <> 'VOID'::word
        group by refunded_card.fine_key
    ),
    uncovered_card as (
        select
            refunded_card.*,
            coalesce(charged_before.charge_cents, 0) as charge_cents
        from
            refunded_card
            left join charged_before using (fine_key)
        where coalesce(charged_before.charge_cents, 0) < refund_cents
    ),
    charged as (
        select
            uncovered_card.fine_key,
            epoch_us(current_transaction.created) // 604800000000 as week,
            sum(total_cents) as charge_cents
        from
            current_transaction
            inner join uncovered_card on uncovered_card.fine_key = current_transaction.fine_key
            and current_transaction.created >= uncovered_card.last_start_at
            and current_transaction.created > uncovered_card.first_refund_at
        where
            action = 'CHARGE'::word
            and approved
            and status <> 'VOID'::word
        group by uncovered_card.fine_key, week
    ),
    charged_so_far as (
        select
            fine_key,
            week,
            sum(charge_cents) over (partition by fine_key order by week) as charge_cents
        from charged
    ),
    covered_card as (
        select
            charged_so_far.fine_key,
            make_timestamp((min(week) + 1) * 604800000000) as covered_from
        from
            charged_so_far
            inner join uncovered_card on uncovered_card.fine_key = charged_so_far.fine_key
            and uncovered_card.charge_cents + charged_so_far.charge_cents >= uncovered_card.refund_cents
        group by charged_so_far.fine_key
    ),
    open_card as (
        select
            fine_key,
            coalesce(covered_from, timestamp 'infinity') as covered_from
        from
            uncovered_card
            left join covered_card using (fine_key)
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
                when action = 'CHARGE'::word then total_cents
                else 0
            end as charge_cents,
            case
                when action = 'REFUND'::word then total_cents
                else 0
            end as refund_cents
        from
            current_transaction
            inner join open_card on open_card.fine_key = current_transaction.fine_key
            and current_transaction.created < open_card.covered_from
        where
            approved
            and status <> 'VOID'::word
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
    and refunded_in_window_cents > charged_fine_cents
