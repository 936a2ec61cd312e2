-- model    place_before
-- grain    one row per clock and settlement of which the reach begins before all transactions of its span: the last position before that
-- reads    clocked_transaction, settlement_reach, span_end
-- rule     R-07: a settlement may end before all that lies within its reach: nothing may have been settled there
-- silent   settlements whose reach begins after a transaction of the same span; a terminal without a transaction to place
with
    firsts as (
        select
            clock,
            terminal_id,
            clock_at
        from clocked_transaction
        where position = 1
    )
select
    reach.clock,
    reach.settlement_id,
    reach.terminal_id,
    reach.ordinal,
    coalesce(span_end.position, 0) as position,
    coalesce(span_end.running_cents, 0) as transactions_cents,
    reach.running_cents as settlements_cents,
    reach.created,
    coalesce(span_end.clock_at, timestamp '0001-01-01') as clock_at,
    case
        when span_end.position is not null then span_end.next_at
        else firsts.clock_at
    end as next_at
from
    settlement_reach as reach
    inner join firsts on firsts.clock = reach.clock
    and firsts.terminal_id = reach.terminal_id
    left join span_end as first_span on first_span.clock = reach.clock
    and first_span.terminal_id = reach.terminal_id
    and first_span.span = span_of (reach.earliest)
    asof left join span_end on span_end.clock = reach.clock
    and span_end.terminal_id = reach.terminal_id
    and span_end.span < span_of (reach.earliest)
where coalesce(first_span.begins_at > reach.earliest, true)
