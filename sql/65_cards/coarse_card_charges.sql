-- model    coarse_card_charges
-- grain    one row per refund at risk: what was charged on its coarse card in the 12 months before
-- reads    current_transaction, enum_value, refund_at_risk
-- rule     R-18: only charges that are settled, or approved and not VOID, count; the window includes both its ends, in UTC
-- silent   refunds that the fine key's charges cover
with
    -- The charges in a window are those up to its end less those before its start. Each of the two is a sum of whole spans of
    -- time and a part of one more span.
    edge as (
        select transaction_id, coarse_key, 1 as sign, epoch_us(created) as until_us
        from refund_at_risk
        union all
        select transaction_id, coarse_key, -1, epoch_us(window_start) - 1
        from refund_at_risk
    ),
    charge as not materialized (
        select coarse_key, epoch_us(created) as created_us, span_of (created) as span, total_cents
        from current_transaction
        where
            action = 'CHARGE'::enum_value
            and moves_money (settled, approved, status = 'VOID'::enum_value)
    ),
    -- Charges after the last refund of a key are in no window.
    last_refund as (
        select coarse_key, max(created) as created
        from refund_at_risk
        group by coarse_key
    ),
    charged_span as (
        select
            charge.coarse_key, charge.span,
            (
                sum(sum(charge.total_cents)) over (
                    partition by charge.coarse_key
                    order by charge.span
                )
            )::bigint as charged_cents
        from
            charge
            inner join last_refund on last_refund.coarse_key = charge.coarse_key
            and charge.created_us <= epoch_us(last_refund.created)
        group by charge.coarse_key, charge.span
    ),
    part as (
        select edge.transaction_id, edge.sign * charge.total_cents as cents
        from
            edge
            inner join charge on charge.coarse_key = edge.coarse_key
            and charge.span = span_of (make_timestamp(edge.until_us))
            and charge.created_us <= edge.until_us
        union all
        select edge.transaction_id, edge.sign * charged_span.charged_cents
        from
            edge
            asof inner join charged_span on charged_span.coarse_key = edge.coarse_key
            and charged_span.span < span_of (make_timestamp(edge.until_us))
    ),
    coarse_window as (
        select transaction_id, sum(cents)::bigint as charged_coarse_cents
        from part
        group by transaction_id
    )
select refund_at_risk.transaction_id, coalesce(charged_coarse_cents, 0) as charged_coarse_cents
from refund_at_risk left join coarse_window using (transaction_id)
