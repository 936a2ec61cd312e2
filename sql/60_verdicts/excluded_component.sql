-- model    excluded_component
-- grain    one row per settlement whose reported net leaves out a component of its transactions, with that component
-- reads    attribution, current_transaction, tieout
-- rule     R-29: the component whose sum over the settlement is the difference
-- silent   settlements with another explanation
with
    member as (
        select
            tieout.settlement_id, tieout.difference_cents, current_transaction.signed_cents,
            current_transaction.tip_cents, current_transaction.tax_cents,
            current_transaction.shipping_cents, current_transaction.surcharge_cents
        from
            tieout
            inner join attribution using (settlement_id)
            inner join current_transaction using (transaction_id)
        where tieout.explanation = 'COMPONENT_EXCLUDED'
    ),
    component as (
        select
            settlement_id, difference_cents,
            unnest(['surcharge', 'shipping', 'tax', 'tip']) as part,
            unnest([surcharge_cents, shipping_cents, tax_cents, tip_cents]) * sign(signed_cents) as part_cents
        from member
    ),
    sum_by_component as (
        select settlement_id, part
        from component
        group by settlement_id, difference_cents, part
        having sum(part_cents) = difference_cents
    )
select settlement_id, string_agg(part, ' or ' order by part) as component
from sum_by_component
group by settlement_id
