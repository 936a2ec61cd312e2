-- model    tieout
-- grain    one row per settlement: reported against computed, the verdict, and why they differ
-- reads    ambiguous_settlement, explained_net
-- rule     R-10: the verdicts; R-09: the certificates; R-29: the explanations
-- silent   nothing
select
    explained_net.settlement_id, terminal_id, created, business_date, status, reported_cents,
    computed_cents, difference_cents, verdict, method,
    case
        when verdict = 'PENDING' then null
        when verdict in ('BREAK', 'NO_DATA') then 'UNSOLVED'
        when ambiguous_settlement.settlement_id is not null then 'AMBIGUOUS'
        when coalesce(options, 1) > 1 then 'AMBIGUOUS'
        when verdict = 'EXPLAINED' then 'UNIQUE'
        -- An id or an observation takes its own transaction out of the question, and no other.
        when rival_count = 0 or not is_open then 'UNIQUE'
        else 'AMBIGUOUS'
    end as certificate, transaction_count, charge_count, charge_cents, refund_count, refund_cents,
    cutoff_at,
    case
        when verdict = 'EXPLAINED' then code
        when verdict = 'BREAK' then 'UNEXPLAINED'
        when verdict = 'TIED' and shifted_ids is not null then 'CUTOFF_SHIFT'
        when verdict = 'TIED' and unreadable is not null then 'QUARANTINED_RECORDS'
    end as explanation,
    case
        when verdict = 'EXPLAINED' then difference_cents
        when verdict in ('TIED', 'BREAK') then 0
    end::bigint as explained_cents,
    case
        when verdict = 'BREAK' then difference_cents
        when verdict in ('TIED', 'EXPLAINED') then 0
    end::bigint as unexplained_cents,
    case
        when verdict = 'EXPLAINED' then blamed
        when verdict = 'TIED' then shifted_ids
    end as explained_by,
    case when verdict = 'BREAK' then candidates end as candidates,
    unreadable,
    greatest(
        rival_count,
        options - 1,
        coalesce(ambiguous_settlement.has_rival, false)::integer
    ) as rival_count,
    created >= getvariable('window_from')
    and created < getvariable('window_to') as in_range
from
    explained_net
    left join ambiguous_settlement on ambiguous_settlement.settlement_id = explained_net.settlement_id
