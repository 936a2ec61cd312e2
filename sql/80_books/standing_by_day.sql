-- model    standing_by_day
-- grain    one row per terminal, business date, action and standing: the sum of the transactions with that standing at as_of, settled ones and others apart
-- reads    complete_settlement, enum_value, settled_member, transaction_standing
-- rule     R-27: every transaction that counts has one standing
-- silent   nothing
select
    terminal_id, business_date, action,
    standing_value ('COMPLETE') as standing,
    true as settled,
    count(*) as item_count,
    sum(signed_cents)::bigint as signed_cents
from settled_member semi join complete_settlement using (settlement_id)
where action in ('CHARGE'::enum_value, 'REFUND'::enum_value)
group by terminal_id, business_date, action
union all
select terminal_id, business_date, action, standing, settled, count(*), sum(signed_cents)::bigint
from transaction_standing
group by terminal_id, business_date, action, standing, settled
