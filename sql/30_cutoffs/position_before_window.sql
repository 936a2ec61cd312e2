-- model    position_before_window
-- grain    one row per clock and settlement whose reach begins before all transactions of its span: the last position before the reach
-- reads    bucket_end, cutoff_window, ordered_transaction
-- rule     R-07: a settlement may end before all transactions of its reach
-- silent   settlements whose reach begins after a transaction of the same span; a terminal without a transaction to place
-- drop     after its last reader
with
    first_position as (
        select clock, terminal_id, clock_at
        from ordered_transaction
        where position = 1
    )
select
    reach.clock, reach.settlement_id, reach.terminal_id, reach.ordinal,
    coalesce(bucket_end.position, 0) as position,
    coalesce(bucket_end.running_cents, 0) as transactions_cents,
    reach.running_cents as settlements_cents, reach.created,
    coalesce(bucket_end.clock_at, timestamp '0001-01-01') as clock_at,
    case
        when bucket_end.position is not null then bucket_end.next_at
        else first_position.clock_at
    end as next_at
from
    cutoff_window as reach
    inner join first_position on first_position.clock = reach.clock
    and first_position.terminal_id = reach.terminal_id
    left join bucket_end as first_span on first_span.clock = reach.clock
    and first_span.terminal_id = reach.terminal_id
    and first_span.span = span_of (reach.earliest)
    asof left join bucket_end on bucket_end.clock = reach.clock
    and bucket_end.terminal_id = reach.terminal_id
    and bucket_end.span < span_of (reach.earliest)
where coalesce(first_span.begins_at > reach.earliest, true)
