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
            and action = 'REFUND'
            and approved
            and status <> 'VOID'
        group by fine_key
    ),
    -- Charges between the last start and the first refund lie in the window of every refund of the card. Where they
    -- cover all its refunds, no refund can exceed, under either reading; nearly all cards end here.
    covered_card as (
        select refunded_card.fine_key
        from
            refunded_card
            inner join current_transaction on current_transaction.fine_key = refunded_card.fine_key
            and current_transaction.created >= refunded_card.last_start_at
            and current_transaction.created <= refunded_card.first_refund_at
        where
            action = 'CHARGE'
            and approved
            and status <> 'VOID'
        group by refunded_card.fine_key, refunded_card.refund_cents
        having sum(total_cents) >= refunded_card.refund_cents
    ),
    open_card as (
        select fine_key
        from refunded_card
        where fine_key not in (select fine_key from covered_card)
    ),
    item as (
        select
            transaction_id,
            terminal_id,
            created,
            coarse_key,
            fine_key,
            case
                when action = 'CHARGE' then total_cents
                else 0
            end as charge_cents,
            case
                when action = 'REFUND' then total_cents
                else 0
            end as refund_cents
        from current_transaction
        where
            fine_key in (select fine_key from open_card)
            and action in ('CHARGE', 'REFUND')
            and approved
            and status <> 'VOID'
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
