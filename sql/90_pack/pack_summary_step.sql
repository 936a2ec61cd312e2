-- pack     the summaries: how a settlement's reported net becomes its computed net
-- grain    one row per step: a transaction that explains the difference, or all of them if a component was left out
-- reads    attribution, current_transaction, pack_summary_difference, tieout
-- rule     R-29: the explanations; the steps of a settlement add up to its explained amount
-- silent   unexplained amounts, which have no transactions
with
    explaining_transaction as (
        select
            tieout.settlement_id, tieout.explanation, tieout.explained_cents,
            unnest(string_split(tieout.explained_by, ';'))::bigint as transaction_id
        from
            tieout
            inner join pack_summary_difference on pack_summary_difference."settlementId"::bigint = tieout.settlement_id
        where tieout.explained_by is not null
    ),
    placed_step as (
        select
            explaining_transaction.settlement_id, explaining_transaction.explanation,
            explaining_transaction.explained_cents, explaining_transaction.transaction_id,
            coalesce(attribution.settlement_id = explaining_transaction.settlement_id, false) as is_member,
            current_transaction.created, current_transaction.action, current_transaction.status,
            current_transaction.total_cents, current_transaction.signed_cents
        from
            explaining_transaction
            inner join current_transaction using (transaction_id)
            left join attribution using (transaction_id)
    ),
    step as (
        select
            settlement_id, 1 as transactions, transaction_id, created, action, status, total_cents,
            is_member,
            case
                when explanation <> 'COMBINATION' then explained_cents
                when is_member then signed_cents
                when action = 'CHARGE' then -total_cents
                else total_cents
            end as effect_cents
        from placed_step
        where explanation <> 'COMPONENT_EXCLUDED'
        union all
        select
            settlement_id,
            count(*),
            null, null, null, null, null, true,
            any_value(explained_cents)
        from placed_step
        where explanation = 'COMPONENT_EXCLUDED'
        group by settlement_id
    )
select
    settlement_id::varchar as "settlementId",
    transactions as "transactions",
    transaction_id::varchar as "transactionId",
    instant(created) as "created",
    action::varchar as "action",
    status::varchar as "status",
    money(total_cents) as "amountTotal",
    is_member as "isMember",
    money(effect_cents) as "effect"
from step
order by step.settlement_id, step.created, step.transaction_id
