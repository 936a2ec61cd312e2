-- model    quiet_flip
-- grain    one row per event and the one settlement with it, or none: transactions that were seen turning, and that only their sum stands for
-- reads    lake.carried.quiet_flip
-- rule     R-05: which event turns the settled flag is learned from all that were seen turning
-- silent   everything in a run that reads all history
select
    terminal_id,
    event,
    settlement_id,
    item_count,
    signed_cents
from lake.carried.quiet_flip
where account = getvariable('sealed_account')
