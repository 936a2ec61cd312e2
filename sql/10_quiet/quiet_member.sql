-- model    quiet_member
-- grain    one row per settlement, action and way of being placed: transactions that only their sum stands for
-- reads    lake.carried.quiet_member
-- rule     R-05: what an earlier run placed, and nothing new can move
-- silent   everything in a run that reads all history
select
    terminal_id,
    settlement_id,
    try_cast(action as word) as action,
    method,
    item_count,
    signed_cents,
    created
from lake.carried.quiet_member
where account = getvariable('sealed_account')
