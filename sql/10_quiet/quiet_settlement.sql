-- model    quiet_settlement
-- grain    one row per settlement that ties, of which nobody asks more than its sums
-- reads    lake.carried.sealed_settlement
-- rule     R-09: a certificate is shown of settlements in the range, and of those that don't tie
-- silent   everything in a run that reads all history
select settlement_id
from lake.carried.sealed_settlement
where
    account = getvariable('sealed_account')
    and is_quiet
    and not is_shown
