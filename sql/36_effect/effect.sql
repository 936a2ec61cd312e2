-- model    effect
-- grain    one row per settlement that does not tie, and per single cause that could have moved its net
-- reads    computed_net, boundary, attribution, uncounted_transaction, current_transaction
-- rule     R-29: what each cause does to computed less reported
-- silent   VERIFY and other transactions of no amount; transactions that are in another settlement
with
    broken as (
        select
            settlement_id,
            terminal_id,
            difference_cents
        from computed_net
        where verdict = 'BREAK'
    ),
    -- Few of all: materialized, or all attributions would be joined with all transactions first.
    held as materialized (
        select
            settlement_id,
            transaction_id
        from
            attribution
            semi join broken using (settlement_id)
    ),
    member as (
        select
            held.settlement_id,
            current_transaction.transaction_id,
            current_transaction.action,
            current_transaction.total_cents,
            current_transaction.signed_cents,
            current_transaction.tip_cents,
            current_transaction.tax_cents,
            current_transaction.shipping_cents,
            current_transaction.surcharge_cents
        from
            held
            inner join current_transaction using (transaction_id)
        where current_transaction.signed_cents <> 0
    ),
    -- Its own stretch of time; where it has no boundary, the day before it was made.
    span as (
        select
            broken.settlement_id,
            broken.terminal_id,
            coalesce(earlier.cut_instant, computed_net.created - interval 1 day) as begins_at,
            coalesce(boundary.cut_instant, computed_net.created) as ends_at
        from
            broken
            inner join computed_net using (settlement_id)
            left join boundary on boundary.settlement_id = broken.settlement_id
            left join boundary as earlier on earlier.terminal_id = boundary.terminal_id
            and earlier.ordinal = boundary.ordinal - 1
    ),
    outsider as (
        select
            span.settlement_id,
            uncounted_transaction.transaction_id,
            uncounted_transaction.signed_cents
        from
            span
            inner join uncounted_transaction on uncounted_transaction.terminal_id = span.terminal_id
            and uncounted_transaction.clock_at > span.begins_at
            and uncounted_transaction.clock_at <= span.ends_at
        where uncounted_transaction.action in ('CHARGE'::word, 'REFUND'::word)
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
select
    settlement_id,
    'REFUND_SIGN',
    2,
    transaction_id::varchar,
    1,
    -2 * total_cents
from member
where action = 'REFUND'::word
union all
select
    settlement_id,
    'REFUND_SIGN',
    2,
    transaction_id::varchar,
    1,
    - total_cents
from member
where action = 'REFUND'::word
union all
select
    settlement_id,
    'MISSING_TRANSACTION',
    3,
    transaction_id::varchar,
    1,
    - signed_cents
from outsider
union all
select
    settlement_id,
    'EXTRA_TRANSACTION',
    4,
    transaction_id::varchar,
    1,
    signed_cents
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
