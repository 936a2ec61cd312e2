-- model    tieout
-- grain    one row per settlement: reported against computed, the verdict, and why they differ
-- reads    computed_net, explanation, interchangeable_member, settlement_open_to_arithmetic, shift
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
                    transaction_id, options
                from shift
            ) as moves
        group by settlement_id
    ),
    joined as (
        select
            computed_net.* replace(
                case when explanation.code is not null then 'EXPLAINED' else verdict end as verdict
            ),
            explanation.code, explanation.blamed, explanation.candidates, shifted.shifted_ids,
            shifted.options,
            computed_net.method <> 'OBSERVED'
            or settlement_open_to_arithmetic.settlement_id is not null as is_open
        from
            computed_net
            left join explanation using (settlement_id)
            left join shifted using (settlement_id)
            left join settlement_open_to_arithmetic using (settlement_id)
    ),
    -- Each has its part in COMPONENT_EXCLUDED, of which rivals tell.
    swapped as (
        select settlement_id
        from
            (
                select settlement_id, unnest(string_split(blamed, ';'))::bigint as transaction_id
                from explanation
                where code <> 'COMPONENT_EXCLUDED'
            ) as named
            semi join interchangeable_member using (settlement_id, transaction_id)
    ),
    -- Beside a settlement that nothing explains, the cut-off between the two is supported by neither. Ids say what is in a
    -- settlement, and of what has none on the other side they say nothing.
    neighboured as (
        select
            *, is_open
            and (
                coalesce(
                    lag(verdict) over terminal = 'BREAK'
                    and (
                        method <> 'EXPLICIT_ID'
                        or lag(method) over terminal in ('WINDOW', 'ALIGNED')
                    ),
                    false
                )
                or coalesce(
                    lead(verdict) over terminal = 'BREAK'
                    and (
                        method <> 'EXPLICIT_ID'
                        or lead(method) over terminal in ('WINDOW', 'ALIGNED')
                    ),
                    false
                )
            ) as is_beside_break,
            -- Where neither settlement beside it ties, only its own net speaks for its cut-offs.
            verdict = 'TIED'
            and method = 'ALIGNED'
            and coalesce(lag(verdict) over terminal, 'TIED') not in ('TIED', 'EXPLAINED')
            and coalesce(lead(verdict) over terminal, 'BREAK') not in ('TIED', 'EXPLAINED')
            and may_tie_by_chance (transaction_count, charge_cents + refund_cents) as is_by_chance,
            verdict = 'EXPLAINED'
            and (
                method = 'MANUAL'
                or is_beside_break
                or (
                    is_open
                    and (
                        end_rival_count > 0
                        or settlement_id in (select settlement_id from swapped)
                        -- Any other choice of members has other parts.
                        or (code = 'COMPONENT_EXCLUDED' and rival_count > 0)
                    )
                )
            ) as is_explained_otherwise
        from joined
        window
            terminal as (
                partition by terminal_id
                order by created, settlement_id
            )
    ),
    beside_break as (
        select settlement_id
        from neighboured
        where is_beside_break
    ),
    -- A shift of which one side lies there is as doubtful, and so is what the other one of two terminals says.
    doubtful as (
        select moved.settlement_id
        from
            (
                select unnest([from_settlement_id, to_settlement_id]) as settlement_id
                from shift
                where
                    from_settlement_id in (from beside_break)
                    or to_settlement_id in (from beside_break)
            ) as moved
            inner join neighboured using (settlement_id)
        where method <> 'EXPLICIT_ID' and is_open
        union
        select one.settlement_id
        from neighboured as one inner join neighboured as other on other.blamed = one.blamed
        where
            one.code = 'WRONG_TERMINAL'
            and other.code = 'WRONG_TERMINAL'
            and other.is_explained_otherwise
    )
select
    neighboured.settlement_id, terminal_id, created, business_date, status, reported_cents,
    computed_cents, difference_cents, verdict, method,
    case
        when verdict = 'PENDING' then null
        when verdict in ('BREAK', 'NO_DATA') then 'UNSOLVED'
        when is_explained_otherwise
        or is_by_chance
        or doubtful.settlement_id is not null then 'AMBIGUOUS'
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
        (is_by_chance or doubtful.settlement_id is not null)::integer
    ) as rival_count,
    created >= getvariable('window_from')
    and created < getvariable('window_to') as in_range
from neighboured left join doubtful on doubtful.settlement_id = neighboured.settlement_id
