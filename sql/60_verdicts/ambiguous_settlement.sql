-- model    ambiguous_settlement
-- grain    one row per settlement whose verdict the settlements beside it, or its own net by chance, leave open
-- reads    explained_net, interchangeable_member, shift
-- rule     R-09: the certificates
-- silent   rivals and shifts with several options, which tieout adds
with
    -- All members have a part in COMPONENT_EXCLUDED: any rival is another explanation.
    swappable_explanation as (
        select settlement_id
        from
            (
                select settlement_id, unnest(string_split(blamed, ';'))::bigint as transaction_id
                from explained_net
                where code <> 'COMPONENT_EXCLUDED'
            ) as explaining_member
            semi join interchangeable_member using (settlement_id, transaction_id)
    ),
    -- The cut-off beside a BREAK has no support. Ids say what is in a settlement, but nothing of transactions without an id on the other side.
    cutoff_support as (
        select
            *, is_open
            and (
                coalesce(
                    previous_verdict = 'BREAK'
                    and (method <> 'EXPLICIT_ID' or previous_method in ('WINDOW', 'ALIGNED')),
                    false
                )
                or coalesce(
                    next_verdict = 'BREAK'
                    and (method <> 'EXPLICIT_ID' or next_method in ('WINDOW', 'ALIGNED')),
                    false
                )
            ) as is_beside_break,
            -- Neither settlement beside it ties: only its own net speaks for its cut-offs.
            verdict = 'TIED'
            and method = 'ALIGNED'
            and coalesce(previous_verdict, 'TIED') not in ('TIED', 'EXPLAINED')
            and coalesce(next_verdict, 'BREAK') not in ('TIED', 'EXPLAINED')
            and may_tie_by_chance (transaction_count, charge_cents + refund_cents) as is_by_chance,
            verdict = 'EXPLAINED'
            and (
                method = 'MANUAL'
                or is_beside_break
                or (
                    is_open
                    and (
                        end_rival_count > 0
                        or settlement_id in (select settlement_id from swappable_explanation)
                        or (code = 'COMPONENT_EXCLUDED' and rival_count > 0)
                    )
                )
            ) as is_explained_otherwise
        from explained_net
    ),
    beside_break as (
        select settlement_id
        from cutoff_support
        where is_beside_break
    ),
    -- A shift is as ambiguous as either of its sides.
    beside_ambiguous as (
        select moved.settlement_id
        from
            (
                select unnest([from_settlement_id, to_settlement_id]) as settlement_id
                from shift
                where
                    from_settlement_id in (from beside_break)
                    or to_settlement_id in (from beside_break)
            ) as moved
            inner join cutoff_support using (settlement_id)
        where method <> 'EXPLICIT_ID' and is_open
        union
        -- So is WRONG_TERMINAL.
        select one.settlement_id
        from cutoff_support as one inner join cutoff_support as other on other.blamed = one.blamed
        where
            one.code = 'WRONG_TERMINAL'
            and other.code = 'WRONG_TERMINAL'
            and other.is_explained_otherwise
    )
select
    cutoff_support.settlement_id, is_explained_otherwise, is_by_chance
    or beside_ambiguous.settlement_id is not null as has_rival
from cutoff_support left join beside_ambiguous using (settlement_id)
where is_explained_otherwise or has_rival
