-- model    bucket_end
-- grain    one row per clock, terminal and span of time with a transaction that arithmetic has to place: the last position of the span
-- reads    ordered_transaction
-- rule     R-07: the running sum up to an instant is that of whole spans and of a part of one span
-- silent   spans without such a transaction
-- drop     after its last reader
select
    clock, terminal_id,
    span_of (clock_at) as span,
    min(clock_at) as begins_at,
    max(position) as position,
    max(clock_at) as clock_at,
    -- The last transaction of a terminal has none after it: its next_at is null.
    arg_max_null(next_at, position) as next_at,
    arg_max(running_cents, position) as running_cents
from ordered_transaction
group by clock, terminal_id, span
