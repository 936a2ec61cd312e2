-- model    computed_net
-- grain    one row per settlement: reported against computed, and whether they agree
-- reads    current_settlement, fully_read_settlement, member_total, rival, settlement_quarantine
-- rule     R-01: what counts; R-04: difference = computed - reported; R-10: the verdicts
-- silent   nothing
with
    -- Rivals with another end of the last settlement give another net, and do not count.
    rival_total as (
        select settlement_id, sum(rival_count)::bigint as rival_count
        from rival
        where reason <> 'LAST_SETTLEMENT'
        group by settlement_id
    ),
    net_with_rivals as (
        select
            current_settlement.settlement_id, current_settlement.terminal_id,
            current_settlement.created, current_settlement.business_date, current_settlement.status,
            current_settlement.reported_cents,
            fully_read_settlement.settlement_id is not null as is_judged,
            member_total.settlement_id is not null as has_members,
            coalesce(member_total.transaction_count, 0) as transaction_count,
            coalesce(member_total.charge_count, 0) as charge_count,
            coalesce(member_total.charge_cents, 0) as charge_cents,
            coalesce(member_total.refund_count, 0) as refund_count,
            coalesce(member_total.refund_cents, 0) as refund_cents,
            coalesce(member_total.charge_cents - member_total.refund_cents, 0) as member_cents,
            member_total.cutoff_at,
            coalesce(member_total.method, 'NONE') as method,
            coalesce(rival_total.rival_count, 0) as rival_count,
            settlement_quarantine.unreadable
        from
            current_settlement
            left join fully_read_settlement using (settlement_id)
            left join member_total using (settlement_id)
            left join rival_total using (settlement_id)
            left join settlement_quarantine using (settlement_id)
    ),
    judged_net as (
        select
            *,
            case
                when is_judged then member_cents
                when status <> 'COMPLETE' and has_members then member_cents
            end as computed_cents,
            case
                when status <> 'COMPLETE' then 'PENDING'
                when not is_judged then 'NO_DATA'
                when member_cents = reported_cents then 'TIED'
                else 'BREAK'
            end as verdict
        from net_with_rivals
    )
select
    settlement_id, terminal_id, created, business_date, status, reported_cents, computed_cents,
    computed_cents - reported_cents as difference_cents,
    verdict, method, transaction_count, charge_count, charge_cents, refund_count, refund_cents,
    cutoff_at, rival_count, unreadable
from judged_net
