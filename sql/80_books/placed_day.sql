-- model    placed_day
-- grain    one row per terminal, business date, action and place: the transactions that stand there at as_of, settled ones and others apart
-- reads    complete_settlement, placed_transaction, settled_member, word
-- rule     R-27: every transaction that counts stands in one place
-- silent   nothing
select
    terminal_id,
    business_date,
    action,
    place_word ('COMPLETE') as place,
    true as settled,
    count(*) as item_count,
    sum(signed_cents)::bigint as signed_cents
from
    settled_member
    semi join complete_settlement using (settlement_id)
where action in ('CHARGE'::word, 'REFUND'::word)
group by terminal_id, business_date, action
union all
select
    terminal_id,
    business_date,
    action,
    place,
    settled,
    count(*),
    sum(signed_cents)::bigint
from placed_transaction
group by terminal_id, business_date, action, place, settled
