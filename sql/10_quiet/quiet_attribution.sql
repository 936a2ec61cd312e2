-- view     quiet_attribution
-- grain    one row per settled transaction in the range of an earlier run that only sums stand for everywhere else
-- reads    lake.carried.quiet_attribution
-- rule     R-05: what an earlier run placed, and nothing new can move
-- silent   everything in a run that reads all history
select
    terminal_id,
    transaction_id,
    settlement_id,
    created,
    action,
    status,
    total_cents,
    signed_cents,
    method
from lake.carried.quiet_attribution
where account = getvariable('sealed_account')
