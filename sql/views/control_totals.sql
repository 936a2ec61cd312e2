-- view     control_totals
-- of       results
-- grain    one row per control total of a run: control_totals.csv
-- silent   nothing
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   check, text: what must agree
-- column   expected, text: one way of computing it: money or a count
-- column   actual, text: the same figure, computed another way
-- column   difference, text: actual less expected
-- column   pass, flag: whether they agree; one that does not withholds the pack
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."check" as "check",
    result."expected" as "expected",
    result."actual" as "actual",
    result."difference" as "difference",
    result."pass" = 'true' as "pass"
from lake.result.control_totals as result inner join chosen_run using (run_id)
