-- model    quiet_explanation
-- grain    one row per settlement that was off long ago, with what explains it, or could
-- reads    lake.carried.kept_explanation
-- rule     R-29: what an earlier run said of a difference, and nothing new can say otherwise
-- silent   everything in a run that reads all history
select
    settlement_id,
    code,
    blamed,
    sets,
    candidates
from lake.carried.kept_explanation
where account = getvariable('sealed_account')
