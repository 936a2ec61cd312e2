-- model    tieout
-- grain    one row per settlement: reported against computed, the verdict, and why they differ
-- reads    certificate_reason, explained_net
-- rule     R-10: the verdicts; R-09: the certificates; R-29: the explanations
-- silent   nothing
select
    settlement_id, terminal_id, created, business_date, status, reported_cents, computed_cents,
    difference_cents, verdict, method,
    case
        when verdict = 'PENDING' then null
        when verdict in ('BREAK', 'NO_DATA') then 'UNSOLVED'
        when is_ambiguous then 'AMBIGUOUS'
        else 'UNIQUE'
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
    -- An AMBIGUOUS settlement whose rivals can't be counted has the count 1.
    greatest(rival_count, options - 1, is_ambiguous::integer) as rival_count,
    created >= getvariable('window_from')
    and created < getvariable('window_to') as in_range
from
    (
        select *, settlement_id in (select settlement_id from certificate_reason) as is_ambiguous
        from explained_net
    ) as net_with_certificate
