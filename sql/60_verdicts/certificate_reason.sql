-- model    certificate_reason
-- grain    one row per settlement, reason why its certificate is AMBIGUOUS, and other settlement that the reason names
-- reads    adjacent_break, adjacent_break_tie, difference_rival, explained_net, interchangeable_member, manual_member, rival, settlement_neighbour, adjacent_break_shift
-- rule     R-09: the certificates
-- silent   settlements that are UNIQUE, not judged or a BREAK
with
    judged as (
        from explained_net
        where verdict in ('TIED', 'EXPLAINED')
    ),
    possible_rival as (
        select settlement_id, reason, transaction_ids
        from rival
        union
        select settlement_id, reason, null
        from difference_rival
    ),
    -- Reasons that follow from the settlement itself and the cut-offs beside it.
    own_reason as (
        select
            judged.settlement_id, possible_rival.reason,
            case possible_rival.reason
                when 'OTHER_BEGINNING' then judged.previous_id
                when 'OTHER_END' then judged.next_id
            end as other_id,
            case possible_rival.reason
                when 'OTHER_SHIFT' then judged.shifted_ids
                else possible_rival.transaction_ids
            end as transaction_ids
        from judged inner join possible_rival using (settlement_id)
        where
            -- An id or an observation fixes its own transaction only. The others of the settlement remain open.
            judged.is_open
            and case
                when judged.verdict = 'TIED' then possible_rival.reason <> 'LAST_SETTLEMENT'
                -- COMPONENT_EXCLUDED is a sum over all members. So any rival set gives another explanation.
                else judged.code = 'COMPONENT_EXCLUDED'
                or possible_rival.reason in (
                    'OTHER_BEGINNING',
                    'OTHER_END',
                    'LAST_SETTLEMENT',
                    'CONTRADICTED_BY_OBSERVATION'
                )
            end
        union all
        select settlement_id, 'SWAP', null, string_agg(transaction_id, ';' order by transaction_id)
        from
            (
                select settlement_id, unnest(string_split(blamed, ';'))::bigint as transaction_id
                from judged
                where verdict = 'EXPLAINED' and is_open and code <> 'COMPONENT_EXCLUDED'
            ) as explaining_member
            semi join interchangeable_member using (settlement_id, transaction_id)
        group by settlement_id
        union all
        select settlement_id, 'BESIDE_BREAK', break_id, null
        from judged inner join adjacent_break using (settlement_id)
        where verdict = 'EXPLAINED' and break_verdict = 'BREAK'
        union all
        select settlement_id, 'BESIDE_BREAK', break_id, transaction_ids
        from adjacent_break_tie
        union all
        select
            settlement_id,
            'MANUAL_DECISION',
            null,
            (
                select string_agg(transaction_id, ';' order by transaction_id)
                from manual_member
                where manual_member.settlement_id = judged.settlement_id
            )
        from judged
        where verdict = 'EXPLAINED' and method = 'MANUAL'
        union all
        select settlement_id, 'SAME_CENTS', null, null
        from judged
        where verdict = 'EXPLAINED' and may_fit_by_chance
        union all
        -- Neither settlement beside it ties: only its own net supports its cut-offs.
        select settlement_id, 'CHANCE', null, null
        from judged inner join settlement_neighbour using (settlement_id)
        where
            judged.verdict = 'TIED'
            and judged.method = 'ALIGNED'
            and coalesce(previous_verdict, 'TIED') not in ('TIED', 'EXPLAINED')
            and coalesce(next_verdict, 'BREAK') not in ('TIED', 'EXPLAINED')
            and may_tie_by_chance (transaction_count, charge_cents + refund_cents)
    )
from own_reason
union all
select settlement_id, 'SHIFT_BESIDE_BREAK', break_id, transaction_ids
from judged inner join adjacent_break_shift using (settlement_id)
where method <> 'EXPLICIT_ID' and is_open
union all
select settlement_id, 'SHIFT_OPTIONS', null, shifted_ids
from judged
where options > 1
union all
-- An explanation by WRONG_TERMINAL is as ambiguous as either of its two settlements.
select one.settlement_id, 'OTHER_TERMINAL', other.settlement_id, one.blamed
from
    judged as one
    inner join judged as other on other.blamed = one.blamed
    and other.settlement_id <> one.settlement_id
where
    one.code = 'WRONG_TERMINAL'
    and other.code = 'WRONG_TERMINAL'
    and other.settlement_id in (select settlement_id from own_reason)
