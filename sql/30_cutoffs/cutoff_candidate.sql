-- model    cutoff_candidate
-- grain    one row per clock, settlement and position in time at which it may end
-- reads    cutoff_window, ordered_transaction, position_before_window
-- rule     R-07: a settlement ends within its reach before it was created; offset = transactions so far less settlements so far
-- silent   positions between transactions of one and the same instant of the modified clock, which no cut-off splits
-- size     transactions
-- drop     after its last reader
with
    spans as (
        select
            *,
            unnest(range(span_of (earliest), span_of (latest) + 1)) as span
        from cutoff_window
    ),
    places as not materialized (
        select
            clock,
            terminal_id,
            position,
            clock_at,
            next_at,
            running_cents,
            span_of (clock_at) as span
        from ordered_transaction
        where
            clock = clock_word ('created')
            or next_at is null
            or next_at > clock_at
    ),
    -- Positions in the reach, and the last one before it where it is of the same span: nothing may have been settled within the reach.
    inside as (
        select
            spans.clock,
            spans.settlement_id,
            spans.terminal_id,
            spans.ordinal,
            places.position,
            places.running_cents as transactions_cents,
            spans.running_cents as settlements_cents,
            spans.created,
            places.clock_at,
            places.next_at
        from
            spans
            inner join places on places.clock = spans.clock
            and places.terminal_id = spans.terminal_id
            and places.span = spans.span
            and coalesce(places.next_at > spans.earliest, true)
            and places.clock_at <= spans.latest
    )
select
    clock,
    settlement_id,
    terminal_id,
    ordinal,
    position,
    transactions_cents,
    transactions_cents - settlements_cents as offset_cents,
    clock_at,
    -- The cut lies anywhere from this transaction up to the next: so does the lag.
    epoch(created) - epoch(coalesce(next_at, created)) as lag_low_s,
    epoch(created) - epoch(clock_at) as lag_high_s
from inside
union all
-- Found by a model of its own: beside its joins DuckDB, where memory is short, writes all positions to disk before it joins them.
select
    clock,
    settlement_id,
    terminal_id,
    ordinal,
    position,
    transactions_cents,
    transactions_cents - settlements_cents,
    clock_at,
    epoch(created) - epoch(coalesce(next_at, created)),
    epoch(created) - epoch(clock_at)
from position_before_window
