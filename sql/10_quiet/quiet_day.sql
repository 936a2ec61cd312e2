-- model    quiet_day
-- grain    one row per terminal, business date and action: settled transactions that only their sum stands for
-- reads    lake.carried.quiet_day
-- rule     R-23: what an earlier run placed in COMPLETE settlements, and nothing new can move
-- silent   everything in a run that reads all history
select
    terminal_id,
    business_date,
    action,
    item_count,
    signed_cents,
    base_cents,
    tax_cents,
    shipping_cents,
    tip_cents,
    surcharge_cents
from lake.carried.quiet_day
where account = getvariable('sealed_account')
