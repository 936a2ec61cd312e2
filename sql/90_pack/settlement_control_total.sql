-- pack     control_totals.csv, settlements
-- grain    one row per control total about settlements and their transactions
-- reads    current_settlement, current_transaction, listed_fingerprint, pack_settlements, settled_member, standing_by_day
-- rule     R-26: sums that must agree, computed in two ways; sums of the pack are read back from its rows
-- silent   settlements without a computed net, of which only the rows are counted
with
    listed_net as (
        select
            "settlementId"::bigint as settlement_id,
            verdict,
            replace("reportedNet", '.', '')::bigint as reported_cents,
            replace("computedNet", '.', '')::bigint as computed_cents,
            replace("difference", '.', '')::bigint as difference_cents,
            replace("explainedAmount", '.', '')::bigint + replace("unexplainedAmount", '.', '')::bigint as named_cents
        from pack_settlements
    ),
    member_sum as (
        select
            listed_net.settlement_id is null as is_unlisted,
            computed_cents,
            case
                when computed_cents is not null
                or listed_net.settlement_id is null then coalesce(signed_cents, 0)
            end as member_cents
        from listed_net full join listed_fingerprint using (settlement_id)
    ),
    counted_transaction as (
        select signed_cents
        from current_transaction
        where settled and created <= getvariable('as_of') and action in ('CHARGE', 'REFUND')
        union all
        -- An earlier settlement may hold a transaction of a terminal whose clock is ahead.
        select signed_cents
        from settled_member
        where
            created > getvariable('as_of')
            and action in ('CHARGE', 'REFUND')
            and settlement_id in (
                select settlement_id
                from current_settlement
                where created <= getvariable('as_of')
            )
    ),
    settled_sum as (
        select count(*) as item_count, coalesce(sum(signed_cents), 0)::bigint as item_cents
        from counted_transaction
    ),
    standing_sum as (
        select
            coalesce(sum(item_count), 0)::bigint as item_count,
            coalesce(sum(signed_cents), 0)::bigint as item_cents
        from standing_by_day
        where settled and standing in ('COMPLETE', 'PENDING', 'ORPHAN', 'OPEN')
    )
select
    1 as ordinal,
    'settlements of the range = settlements listed' as name,
    false as is_money,
    (
        select count(*)
        from current_settlement
        where created >= getvariable('window_from') and created < getvariable('window_to')
    ) as expected,
    (select count(*) from listed_net) as actual
union all
select
    2,
    'attributions = computed nets',
    true,
    coalesce(sum(computed_cents), 0)::bigint,
    coalesce(sum(member_cents), 0)::bigint
from member_sum
union all
select 3, 'settlements whose attributions are not their computed net', false, 0, count(*)
from member_sum
where is_unlisted or computed_cents <> member_cents
union all
select
    4,
    'computed - reported nets = differences',
    true,
    coalesce(sum(computed_cents - reported_cents), 0)::bigint,
    coalesce(sum(difference_cents), 0)::bigint
from listed_net
union all
select
    5,
    'explained + unexplained = differences of COMPLETE settlements',
    true,
    coalesce(sum(difference_cents), 0)::bigint,
    coalesce(sum(named_cents), 0)::bigint
from listed_net
where verdict not in ('PENDING', 'NO_DATA')
union all
select
    6,
    'settled transactions that stand in one place (all dates)',
    false, settled_sum.item_count, standing_sum.item_count
from settled_sum cross join standing_sum
union all
select
    7,
    'settled money that stands in one place (all dates)',
    true, settled_sum.item_cents, standing_sum.item_cents
from settled_sum cross join standing_sum
