-- model    opening
-- grain    one row per clock and sealed terminal: how many places lie before what is read, and their sum
-- reads    lake.carried.opening
-- rule     R-08: the order of time runs on from what an earlier run has put in order
-- silent   everything in a run that reads all history
select
    clock_word (clock) as clock,
    terminal_id,
    position,
    running_cents,
    getvariable('opens_at')::timestamp as opens_at
from lake.carried.opening
where account = getvariable('sealed_account')
