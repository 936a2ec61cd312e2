-- model    day_end
-- grain    one row per clock, terminal and day with a transaction that arithmetic has to place: the last position of the day
-- reads    clocked_transaction
-- rule     R-07: what was before an instant is known from whole days and the part of one day
-- silent   days without such a transaction
select
    clock,
    terminal_id,
    epoch_us(clock_at) // 86400000000 as day,
    min(clock_at) as begins_at,
    max(position) as position,
    max(clock_at) as clock_at,
    arg_max(next_at, position) as next_at,
    arg_max(running_cents, position) as running_cents
from clocked_transaction
group by clock, terminal_id, day
