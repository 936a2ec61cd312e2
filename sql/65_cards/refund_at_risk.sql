-- model    refund_at_risk
-- grain    one row per approved card refund that, alone or with others, exceeds the charges of its fine key in the 12 months before
-- reads    current_transaction, enum_value, uncovered_card
-- rule     R-18: only charges that are settled, or approved and not VOID, count; the window includes both its ends, in UTC
-- silent   ACH, which has no card; VOID refunds
with
    -- Transactions that are neither charge nor refund count zero. Leaving them out would cost more: each one would be tested.
    item as (
        select
            transaction_id, terminal_id, created, coarse_key, current_transaction.fine_key,
            case when action = 'CHARGE'::enum_value then total_cents else 0 end as charge_cents,
            case when action = 'REFUND'::enum_value then total_cents else 0 end as refund_cents,
            current_transaction.created >= uncovered_card.first_at as is_open
        from
            current_transaction
            inner join uncovered_card on uncovered_card.fine_key = current_transaction.fine_key
            and current_transaction.created >= uncovered_card.first_at - interval 366 days
            and current_transaction.created < uncovered_card.until_at
        where moves_money (settled, approved, status = 'VOID'::enum_value)
    ),
    window_sum as (
        select
            transaction_id, terminal_id, created,
            created - refund_window () as window_start,
            coarse_key, fine_key, refund_cents, is_open,
            sum(charge_cents) over in_window::bigint as charged_fine_cents,
            sum(refund_cents) over in_window::bigint as refunded_in_window_cents
        from item
        window
            in_window as (
                partition by fine_key
                order by created range between refund_window () preceding and current row
            )
    )
select
    transaction_id, terminal_id, created, window_start, coarse_key, fine_key, refund_cents,
    charged_fine_cents, refunded_in_window_cents,
    -- Refunds of the same instant are all at risk if one is. Those with a higher id do not count as before this one.
    refunded_in_window_cents - sum(refund_cents) over (
        partition by fine_key, created
        order by transaction_id rows between current row and unbounded following
    )::bigint as refunded_before_cents
from window_sum
where
    refund_cents > 0
    -- Older refunds are read only because they lie in the windows of newer ones.
    and is_open
    and refunded_in_window_cents > charged_fine_cents
