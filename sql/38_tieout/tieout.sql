-- model    tieout
-- grain    one row per settlement: reported against computed, the verdict, and why they differ
-- reads    computed_net, explanation, shift
-- rule     R-10: the verdicts; R-09: the certificates; R-29: the explanations
-- silent   nothing
with
    shifted as (
        select
            settlement_id,
            string_agg(transaction_id, ';' order by transaction_id) as shifted_ids,
            max(options) as options
        from
            (
                select
                    unnest([from_settlement_id, to_settlement_id]) as settlement_id,
                    transaction_id,
                    options
                from shift
            ) as moves
        group by settlement_id
    ),
    joined as (
        select
            computed_net.* replace(
                case
                    when explanation.code is not null then 'EXPLAINED'
                    else verdict
                end as verdict
            ),
            explanation.code,
            explanation.blamed,
            explanation.candidates,
            shifted.shifted_ids,
            shifted.options
        from
            computed_net
            left join explanation using (settlement_id)
            left join shifted using (settlement_id)
    ),
    -- Beside a settlement that nothing explains, the cut-off between the two is supported by neither.
    neighboured as (
        select
            *,
            method not in ('EXPLICIT_ID', 'OBSERVED')
            and 'BREAK' in (lag(verdict) over terminal, lead(verdict) over terminal) as is_beside_break
        from joined
        window
            terminal as (
                partition by terminal_id
                order by created, settlement_id
            )
    ),
    -- And so is a shift of which one side lies there.
    doubtful as (
        select distinct
            unnest([from_settlement_id, to_settlement_id]) as settlement_id,
            true as is_doubtful
        from shift
        where
            from_settlement_id in (select settlement_id from neighboured where is_beside_break)
            or to_settlement_id in (select settlement_id from neighboured where is_beside_break)
    )
select
    neighboured.settlement_id,
    terminal_id,
    created,
    business_date,
    status,
    reported_cents,
    computed_cents,
    difference_cents,
    verdict,
    method,
    case
        when verdict = 'PENDING' then null
        when verdict in ('BREAK', 'NO_DATA') then 'UNSOLVED'
        when verdict = 'EXPLAINED' and method = 'MANUAL' then 'AMBIGUOUS'
        when verdict = 'EXPLAINED'
        and (is_beside_break or (end_rival_count > 0 and method <> 'OBSERVED')) then 'AMBIGUOUS'
        when verdict = 'EXPLAINED' then 'UNIQUE'
        when coalesce(options, 1) > 1 then 'AMBIGUOUS'
        when is_doubtful then 'AMBIGUOUS'
        -- An id takes its own transaction out of the question, and no other.
        when rival_count = 0 or method = 'OBSERVED' then 'UNIQUE'
        else 'AMBIGUOUS'
    end as certificate,
    transaction_count,
    charge_count,
    charge_cents,
    refund_count,
    refund_cents,
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
    case
        when verdict = 'BREAK' then candidates
    end as candidates,
    unreadable,
    greatest(rival_count, options - 1, is_doubtful::integer) as rival_count,
    created >= getvariable('window_from')
    and created < getvariable('window_to') as in_range
from
    neighboured
    left join doubtful on doubtful.settlement_id = neighboured.settlement_id
    and neighboured.method not in ('EXPLICIT_ID', 'OBSERVED')
