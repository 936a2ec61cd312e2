-- model    refund_certainty
-- grain    one row per approved card refund at risk, with the certainty of its breach
-- reads    coarse_card_charges, current_quarantine, history_coverage, incomplete_charge, refund_at_risk, refunded_card, refused_list
-- rule     R-18: CERTAIN by the coarse key with covered history, SUSPECTED by the fine key or by all refunds together, INSUFFICIENT_HISTORY
-- silent   refunds that the fine key's charges cover under both readings
with
    -- Each combination of card fields that an incomplete charge on the refunded card may have.
    possible_charge as (
        select
            transaction_id, window_start, created,
            brand is null
            or last_four is null as is_incomplete,
            unnest([coalesce(brand, ''), coalesce(brand, ''), '', '']) as brand,
            unnest([coalesce(last_four, ''), '', coalesce(last_four, ''), '']) as last_four
        from refund_at_risk inner join refunded_card using (fine_key)
    ),
    incomplete_refund as (
        select distinct possible_charge.transaction_id
        from
            possible_charge
            asof left join incomplete_charge on coalesce(incomplete_charge.brand, '') = possible_charge.brand
            and coalesce(incomplete_charge.last_four, '') = possible_charge.last_four
            and incomplete_charge.created <= possible_charge.created
        where incomplete_charge.created >= possible_charge.window_start or is_incomplete
    ),
    -- A record that can't be read may be a charge on any card, and one without a time may be of any day.
    uncertain_refund as (
        select distinct transaction_id
        from
            refund_at_risk
            inner join current_quarantine on current_quarantine.subject_type = 'transaction'
            and coalesce(current_quarantine.created, refund_at_risk.created) >= refund_at_risk.window_start
            and coalesce(current_quarantine.created, refund_at_risk.created) <= refund_at_risk.created
        union
        select transaction_id
        from incomplete_refund
        union
        -- A terminal that the service refuses to show may have a charge on any card.
        select transaction_id
        from refund_at_risk
        where exists (from refused_list)
    ),
    judged_refund as (
        select
            refund_at_risk.transaction_id, terminal_id, refund_at_risk.created, window_start,
            refunded_card.card_key, refund_cents, charged_coarse_cents, charged_fine_cents,
            refunded_before_cents, refunded_in_window_cents, history_from,
            (coalesce(covered, false) or coalesce(history_from <= window_start, false))
            and coalesce(history_until >= refund_at_risk.created, false) as is_covered,
            uncertain_refund.transaction_id is not null as is_uncertain,
            case when refund_cents > charged_fine_cents then 'ONE' else 'TWO' end as reading
        from
            refund_at_risk
            inner join coarse_card_charges using (transaction_id)
            left join refunded_card using (fine_key)
            left join history_coverage on true
            left join uncertain_refund using (transaction_id)
    )
select
    transaction_id, terminal_id, created, card_key, refund_cents, charged_coarse_cents,
    charged_fine_cents, refunded_before_cents, refunded_in_window_cents,
    case
        when not is_covered then 'INSUFFICIENT_HISTORY'
        when refund_cents > charged_coarse_cents and not is_uncertain then 'CERTAIN'
        else 'SUSPECTED'
    end as certainty, history_from, reading, is_uncertain
from judged_refund
