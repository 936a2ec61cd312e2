-- view     control_totals
-- of       results
-- grain    one row per control total of a run: control_totals.csv
-- silent   nothing
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."check" as "check", -- text: what must agree
    result."expected" as "expected", -- text: one way of computing it: money or a count
    result."actual" as "actual", -- text: the same figure, computed another way
    result."difference" as "difference", -- text: actual less expected
    result."pass" = 'true' as "pass" -- flag: whether they agree; one that does not withholds the pack
from lake.result.control_totals as result inner join chosen_run using (run_id)
