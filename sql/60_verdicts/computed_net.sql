-- model    computed_net
-- grain    one row per settlement: reported against computed, and whether they agree
-- reads    attribution, boundary, contradicted_by_observation, current_quarantine, current_settlement, enum_value, fully_read_settlement, rival, shift_rival
-- rule     R-01: what counts; R-04: difference = computed - reported; R-10: the verdicts
-- silent   nothing
with
    -- First by what decides how a transaction counts: few rows of a settlement are left to be told apart.
    listed as (
        select
            settlement_id, action, method,
            count(*) as item_count,
            sum(signed_cents)::bigint as signed_cents,
            max(created) as created
        from attribution
        group by settlement_id, action, method
    ),
    member as (
        select
            settlement_id, item_count,
            case when action = 'CHARGE'::enum_value then signed_cents end as charge_cents,
            case when action = 'REFUND'::enum_value then -signed_cents end as refund_cents,
            created,
            case method
                when method_word ('EXPLICIT_ID') then 1
                when method_word ('OBSERVED') then 2
                when method_word ('WINDOW') then 3
                when method_word ('ALIGNED') then 4
                when method_word ('MANUAL') then 5
            end as weakness
        from listed
    ),
    summed as (
        select
            settlement_id,
            sum(item_count)::bigint as transaction_count,
            coalesce(
                sum(item_count) filter(where charge_cents is not null),
                0
            )::bigint as charge_count,
            coalesce(sum(charge_cents), 0)::bigint as charge_cents,
            coalesce(
                sum(item_count) filter(where refund_cents is not null),
                0
            )::bigint as refund_count,
            coalesce(sum(refund_cents), 0)::bigint as refund_cents,
            max(created) as cutoff_at,
            -- The weakest of the ways in which its transactions were found; a person's hand is always said.
            max(weakness) as weakness
        from member
        group by settlement_id
    ),
    -- A record that can't be read may belong to the settlement in whose stretch of time it lies; after the last cut-off, to the one that follows.
    touched as (
        select
            current_quarantine.subject_id, current_quarantine.subject_type,
            coalesce(
                min_by(current_settlement.settlement_id, current_settlement.ordinal) filter(
                    where
                        coalesce(boundary.cut_instant, current_settlement.created) >= current_quarantine.created
                ),
                min_by(current_settlement.settlement_id, current_settlement.ordinal)
            ) as settlement_id
        from
            current_quarantine
            inner join current_settlement on current_settlement.terminal_id = current_quarantine.terminal_id
            and current_settlement.created >= current_quarantine.created
            left join boundary on boundary.settlement_id = current_settlement.settlement_id
        where current_quarantine.list in ('transactions', 'settlements')
        group by current_quarantine.subject_id, current_quarantine.subject_type
    ),
    unread as (
        select
            settlement_id,
            list(subject_type || ' ' || subject_id order by subject_type, subject_id) as unreadable
        from touched
        group by settlement_id
    ),
    joined as (
        select
            current_settlement.settlement_id, current_settlement.terminal_id,
            current_settlement.created, current_settlement.business_date, current_settlement.status,
            current_settlement.reported_cents,
            fully_read_settlement.settlement_id is not null as is_judged,
            summed.settlement_id is not null as has_rows,
            coalesce(summed.transaction_count, 0) as transaction_count,
            coalesce(summed.charge_count, 0) as charge_count,
            coalesce(summed.charge_cents, 0) as charge_cents,
            coalesce(summed.refund_count, 0) as refund_count,
            coalesce(summed.refund_cents, 0) as refund_cents,
            coalesce(summed.charge_cents - summed.refund_cents, 0) as member_cents,
            summed.cutoff_at,
            coalesce(
                ['EXPLICIT_ID', 'OBSERVED', 'WINDOW', 'ALIGNED', 'MANUAL'] [summed.weakness],
                'NONE'
            ) as method,
            coalesce(rival.rival_count, 0) + coalesce(shift_rival.rival_count, 0) + coalesce(contradicted_by_observation.member_count, 0) as rival_count,
            coalesce(rival.end_rival_count, 0) + coalesce(contradicted_by_observation.member_count, 0) as end_rival_count,
            unread.unreadable
        from
            current_settlement
            left join fully_read_settlement using (settlement_id)
            left join summed using (settlement_id)
            left join rival using (settlement_id)
            left join shift_rival using (settlement_id)
            left join contradicted_by_observation using (settlement_id)
            left join unread using (settlement_id)
    ),
    computed as (
        select
            *,
            case
                when is_judged then member_cents
                when status <> 'COMPLETE' and has_rows then member_cents
            end as computed_cents,
            case
                when status <> 'COMPLETE' then 'PENDING'
                when not is_judged then 'NO_DATA'
                when member_cents = reported_cents then 'TIED'
                else 'BREAK'
            end as verdict
        from joined
    )
select
    settlement_id, terminal_id, created, business_date, status, reported_cents, computed_cents,
    computed_cents - reported_cents as difference_cents,
    verdict, method, transaction_count, charge_count, charge_cents, refund_count, refund_cents,
    cutoff_at, rival_count, end_rival_count, unreadable
from computed
