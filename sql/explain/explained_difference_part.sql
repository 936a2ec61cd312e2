-- model    explained_difference_part
-- grain    one row per named part of the difference, and per transaction that a shift moved
-- reads    attribution, current_transaction, shift, tieout
-- rule     R-29: the parts, without the moved transactions, add up to the difference
-- silent   nothing
with
    settlement as (
        select *
        from tieout
        where settlement_id = getvariable('explained_id')
    ),
    explaining_transaction as (
        select settlement.*, unnest(string_split(explained_by, ';')) as id
        from settlement
        where verdict = 'EXPLAINED' and explanation = 'COMBINATION'
    ),
    part as (
        select
            1 as rank, explanation as name, explained_cents as cents, explained_by as ids,
            (
                select min(other.settlement_id)
                from tieout as other
                where
                    other.explanation = 'WRONG_TERMINAL'
                    and settlement.explanation = 'WRONG_TERMINAL'
                    and other.explained_by = settlement.explained_by
                    and other.settlement_id <> settlement.settlement_id
            ) as other_id
        from settlement
        where verdict = 'EXPLAINED' and explanation <> 'COMBINATION'
        union all
        select
            1,
            case
                when attribution.settlement_id is null then 'counted, though not settled'
                else 'left out'
            end,
            case
                when attribution.settlement_id is null then -t.signed_cents
                else t.signed_cents
            end, explaining_transaction.id, null
        from
            explaining_transaction
            inner join current_transaction as t on t.transaction_id = explaining_transaction.id::bigint
            left join attribution on attribution.transaction_id = t.transaction_id
            and attribution.settlement_id = explaining_transaction.settlement_id
        union all
        select 2, 'unexplained', unexplained_cents, '', null
        from settlement
        where unexplained_cents <> 0
        union all
        select
            3,
            case
                when shift.to_settlement_id = settlement.settlement_id then 'moved here'
                else 'moved away'
            end, t.signed_cents,
            shift.transaction_id::varchar,
            case
                when shift.to_settlement_id = settlement.settlement_id then shift.from_settlement_id
                else shift.to_settlement_id
            end
        from
            settlement
            inner join shift on settlement.settlement_id in (shift.to_settlement_id, shift.from_settlement_id)
            inner join current_transaction as t using (transaction_id)
    )
select
    name,
    money(cents) as amount,
    ids as transactions,
    coalesce(other_id::varchar, '') as "otherSettlement"
from part
order by rank, try_cast(ids as bigint), name
