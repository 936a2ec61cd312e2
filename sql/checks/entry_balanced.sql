-- check    entry_balanced
-- grain    one row per journal entry whose lines do not sum to zero
-- reads    posted_line
-- rule     R-23: each entry sums to zero
-- silent   nothing
select entry_id, sum(amount_cents)::bigint as off_cents
from posted_line
group by entry_id
having sum(amount_cents) <> 0
