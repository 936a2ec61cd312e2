-- model    refund_judgement
-- grain    one row per approved card refund at risk, with how sure its breach is
-- reads    refund_at_risk, current_transaction, refunded_card, current_quarantine, current_refusal, history_coverage
-- rule     R-18: CERTAIN by the coarse key with covered history, SUSPECTED by the fine key or by all refunds together, INSUFFICIENT_HISTORY
-- silent   refunds that the fine key's charges cover under both readings
with
    -- What a coarse key was charged in a window is what was charged up to its end less what was before its start: whole days,
    -- and the part of the day in which it ends or starts.
    edge as (
        select
            transaction_id,
            coarse_key,
            1 as sign,
            epoch_us(created) as until_us
        from refund_at_risk
        union all
        select
            transaction_id,
            coarse_key,
            -1,
            epoch_us(window_start) - 1
        from refund_at_risk
    ),
    charge as not materialized (
        select
            coarse_key,
            epoch_us(created) as created_us,
            epoch_us(created) // 86400000000 as day,
            total_cents
        from current_transaction
        where
            action = 'CHARGE'
            and approved
            and status <> 'VOID'
    ),
    charged_day as (
        select
            coarse_key,
            day,
            (
                sum(sum(total_cents)) over (partition by coarse_key order by day)
            )::bigint as charged_cents
        from charge
        where coarse_key in (select coarse_key from refund_at_risk)
        group by coarse_key, day
    ),
    part as (
        select
            edge.transaction_id,
            edge.sign * charge.total_cents as cents
        from
            edge
            inner join charge on charge.coarse_key = edge.coarse_key
            and charge.day = edge.until_us // 86400000000
            and charge.created_us <= edge.until_us
        union all
        select
            edge.transaction_id,
            edge.sign * charged_day.charged_cents
        from
            edge
            asof inner join charged_day on charged_day.coarse_key = edge.coarse_key
            and charged_day.day < edge.until_us // 86400000000
    ),
    coarse_window as (
        select
            transaction_id,
            sum(cents)::bigint as charged_coarse_cents
        from part
        group by transaction_id
    ),
    -- A record that can't be read may be a charge on any card, and one without a time may be of any day.
    doubted as (
        select distinct
            transaction_id
        from
            refund_at_risk
            inner join current_quarantine on current_quarantine.subject_type = 'transaction'
            and coalesce(current_quarantine.created, refund_at_risk.created) >= refund_at_risk.window_start
            and coalesce(current_quarantine.created, refund_at_risk.created) <= refund_at_risk.created
        union
        -- So may a charge at a terminal that the service refuses to show.
        select transaction_id
        from refund_at_risk
        where exists (from current_refusal)
    ),
    judged as (
        select
            refund_at_risk.transaction_id,
            terminal_id,
            created,
            window_start,
            -- Files show a short hash, never the key.
            refunded_card.card_key,
            refund_cents,
            coalesce(charged_coarse_cents, 0) as charged_coarse_cents,
            charged_fine_cents,
            refunded_before_cents,
            refunded_in_window_cents,
            history_from,
            coalesce(covered, false)
            or coalesce(history_from <= window_start, false) as is_covered,
            doubted.transaction_id is not null as is_doubted,
            case
                when refund_cents > charged_fine_cents then 'ONE'
                else 'TWO'
            end as reading
        from
            refund_at_risk
            left join coarse_window using (transaction_id)
            left join refunded_card using (fine_key)
            left join history_coverage on true
            left join doubted using (transaction_id)
    )
select
    transaction_id,
    terminal_id,
    created,
    card_key,
    refund_cents,
    charged_coarse_cents,
    charged_fine_cents,
    refunded_before_cents,
    refunded_in_window_cents,
    case
        when not is_covered then 'INSUFFICIENT_HISTORY'
        when refund_cents > charged_coarse_cents and not is_doubted then 'CERTAIN'
        else 'SUSPECTED'
    end as certainty,
    history_from,
    reading,
    is_doubted
from judged
