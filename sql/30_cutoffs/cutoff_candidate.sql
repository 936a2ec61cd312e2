-- model    cutoff_candidate
-- grain    one row per clock, settlement and position in time at which it may end
-- reads    cutoff_window, ordered_transaction, position_before_window
-- rule     R-07: a settlement ends within its reach before it was created; offset = transactions so far less settlements so far
-- silent   positions between transactions with the same lastModified, because no cut-off separates them
-- size     transactions
-- drop     after its last reader
with
    window_bucket as (
        select *, unnest(range(span_of (earliest), span_of (latest) + 1)) as span
        from cutoff_window
    ),
    cut_position as not materialized (
        select
            clock, terminal_id, position, clock_at, next_at, running_cents,
            span_of (clock_at) as span
        from ordered_transaction
        where clock = clock_value ('created') or next_at is null or next_at > clock_at
    ),
    -- The positions in the window, and the last one before it if that is in the same span. A settlement that ends there
    -- contains no transaction of the window.
    position_in_window as (
        select
            window_bucket.clock, window_bucket.settlement_id, window_bucket.terminal_id,
            window_bucket.ordinal, cut_position.position,
            cut_position.running_cents as transactions_cents,
            window_bucket.running_cents as settlements_cents, window_bucket.created,
            cut_position.clock_at, cut_position.next_at
        from
            window_bucket
            inner join cut_position on cut_position.clock = window_bucket.clock
            and cut_position.terminal_id = window_bucket.terminal_id
            and cut_position.span = window_bucket.span
            and coalesce(cut_position.next_at > window_bucket.earliest, true)
            and cut_position.clock_at <= window_bucket.latest
    )
select
    clock, settlement_id, terminal_id, ordinal, position, transactions_cents,
    transactions_cents - settlements_cents as offset_cents,
    clock_at,
    -- The cut-off lies anywhere between this transaction and the latest possible cut-off. The lag has the same range.
    epoch(created) - epoch(latest_cutoff (clock, created, clock_at, next_at)) as lag_low_s,
    epoch(created) - epoch(clock_at) as lag_high_s
from position_in_window
union all
-- A model of its own finds these positions. Inside this query they would make DuckDB write all positions to disk when memory
-- is short.
select
    clock, settlement_id, terminal_id, ordinal, position, transactions_cents,
    transactions_cents - settlements_cents,
    clock_at,
    epoch(created) - epoch(latest_cutoff (clock, created, clock_at, next_at)),
    epoch(created) - epoch(clock_at)
from position_before_window
