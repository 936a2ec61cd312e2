-- model    member_total
-- grain    one row per settlement with members: their counts and sums, and the weakest method by which one was found
-- reads    attribution, enum_value
-- rule     R-01: what counts; R-05: the methods
-- silent   settlements without members
-- drop     after its last reader
with
    -- The first sum groups by the columns that decide how a transaction counts. Few rows of each settlement are left.
    sum_by_action as (
        select
            settlement_id, action, method,
            count(*) as item_count,
            sum(signed_cents)::bigint as signed_cents,
            max(created) as created
        from attribution
        group by settlement_id, action, method
    ),
    sum_by_side as (
        select
            settlement_id, item_count,
            case when action = 'CHARGE'::enum_value then signed_cents end as charge_cents,
            case when action = 'REFUND'::enum_value then -signed_cents end as refund_cents,
            created,
            case method
                when method_value ('EXPLICIT_ID') then 1
                when method_value ('OBSERVED') then 2
                when method_value ('WINDOW') then 3
                when method_value ('ALIGNED') then 4
                when method_value ('MANUAL') then 5
            end as weakness
        from sum_by_action
    )
select
    settlement_id,
    sum(item_count)::bigint as transaction_count,
    coalesce(sum(item_count) filter(where charge_cents is not null), 0)::bigint as charge_count,
    coalesce(sum(charge_cents), 0)::bigint as charge_cents,
    coalesce(sum(item_count) filter(where refund_cents is not null), 0)::bigint as refund_count,
    coalesce(sum(refund_cents), 0)::bigint as refund_cents,
    max(created) as cutoff_at,
    -- MANUAL comes last in the list, so that a settlement with one person's decision is MANUAL.
    ['EXPLICIT_ID', 'OBSERVED', 'WINDOW', 'ALIGNED', 'MANUAL'] [max(weakness)] as method
from sum_by_side
group by settlement_id
