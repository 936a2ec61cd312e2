-- model    single_cause
-- grain    one row per settlement that does not tie, and single cause that a transaction or a component could be
-- reads    attribution, current_transaction, enum_value, unattributed_transaction, unexplained_settlement
-- rule     R-29: the difference, computed less reported, that each cause makes
-- silent   VERIFY and other transactions of no amount; transactions that are in another settlement
with
    -- Materialized, so that DuckDB does not join all attributions with all transactions first.
    member_id as materialized (
        select settlement_id, transaction_id
        from attribution semi join unexplained_settlement using (settlement_id)
    ),
    member as (
        select
            member_id.settlement_id, current_transaction.transaction_id, current_transaction.action,
            current_transaction.total_cents, current_transaction.signed_cents,
            current_transaction.tip_cents, current_transaction.tax_cents,
            current_transaction.shipping_cents, current_transaction.surcharge_cents
        from member_id inner join current_transaction using (transaction_id)
        where current_transaction.signed_cents <> 0
    ),
    outsider as (
        select
            unexplained_settlement.settlement_id, unattributed_transaction.transaction_id,
            unattributed_transaction.signed_cents
        from
            unexplained_settlement
            inner join unattributed_transaction on unattributed_transaction.terminal_id = unexplained_settlement.terminal_id
            and unattributed_transaction.clock_at > unexplained_settlement.begins_at
            and unattributed_transaction.clock_at <= unexplained_settlement.ends_at
        where unattributed_transaction.action in ('CHARGE'::enum_value, 'REFUND'::enum_value)
    ),
    component as (
        select
            settlement_id,
            unnest(['tip', 'tax', 'shipping', 'surcharge']) as part,
            unnest([tip_cents, tax_cents, shipping_cents, surcharge_cents]) * sign(signed_cents) as part_cents,
            transaction_id
        from member
    )
select
    settlement_id,
    'COUNTED_TWICE' as code,
    1 as precedence,
    transaction_id::varchar as blamed,
    1 as transactions,
    - signed_cents as effect_cents
from member
union all
select settlement_id, 'REFUND_SIGN', 2, transaction_id::varchar, 1, -2 * total_cents
from member
where action = 'REFUND'::enum_value
union all
select settlement_id, 'REFUND_SIGN', 2, transaction_id::varchar, 1, - total_cents
from member
where action = 'REFUND'::enum_value
union all
select settlement_id, 'MISSING_TRANSACTION', 3, transaction_id::varchar, 1, - signed_cents
from outsider
union all
select settlement_id, 'EXTRA_TRANSACTION', 4, transaction_id::varchar, 1, signed_cents
from member
union all
select
    settlement_id,
    'COMPONENT_EXCLUDED',
    5,
    string_agg(transaction_id, ';' order by transaction_id),
    count(*),
    sum(part_cents)::bigint
from component
where part_cents <> 0
group by settlement_id, part
