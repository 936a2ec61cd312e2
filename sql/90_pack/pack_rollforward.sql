-- pack     rollforward.csv
-- grain    one row per terminal and business date
-- reads    rollforward
-- rule     R-25: each row adds up, each closing is the next opening; R-32: text in files
-- silent   nothing
select
    getvariable('account') as "account",
    terminal_id::varchar as "terminalId",
    date::varchar as "date",
    money(opening_cents) as "openingUnsettled",
    money(charge_cents) as "charges",
    money(refund_cents) as "refunds",
    money(void_cents) as "voids",
    money(settled_cents) as "settled",
    money(closing_cents) as "closingUnsettled"
from rollforward
order by terminal_id, rollforward.date
