-- model    boundary
-- grain    one row per settlement of a terminal that has settled transactions: where it begins and ends
-- reads    first_boundary, shift, clocked_transaction, span_end
-- rule     R-07: a settlement holds what lies after the end of the one before it, up to its own end, less what a shift moves
-- silent   nothing
with
    cut_again as (
        select
            cut_settlement_id as settlement_id,
            min(new_cut_position) as new_cut_position
        from shift
        where new_cut_position is not null
        group by cut_settlement_id
    ),
    cut_anew as (
        select
            cut_again.settlement_id,
            first_boundary.clock,
            first_boundary.terminal_id,
            cut_again.new_cut_position as position
        from
            cut_again
            inner join first_boundary using (settlement_id)
    ),
    -- Places to which a shift moves a cut-off; where all others are is known.
    places as (
        select
            clock,
            terminal_id,
            position,
            transaction_id,
            clock_at,
            next_at,
            running_cents
        from
            clocked_transaction
            semi join cut_anew using (clock, terminal_id, position)
    ),
    moved as (
        select
            cut_anew.settlement_id,
            position,
            coalesce(places.running_cents, 0) as running_cents,
            places.transaction_id as cut_id,
            places.clock_at as cut_at,
            places.next_at
        from
            cut_anew
            left join places using (clock, terminal_id, position)
    ),
    cut as (
        from moved
        union all
        by name
        select
            settlement_id,
            position,
            running_cents,
            cut_id,
            cut_at,
            next_at
        from
            first_boundary
            anti join moved using (settlement_id)
    ),
    chosen as (
        select
            first_boundary.settlement_id,
            first_boundary.terminal_id,
            first_boundary.ordinal,
            first_boundary.clock,
            first_boundary.support,
            first_boundary.lag_s,
            cut.position,
            cut.running_cents,
            cut.cut_id,
            cut.cut_at,
            cut.next_at,
            first_boundary.created - to_microseconds((coalesce(first_boundary.lag_s, 0) * 1000000)::bigint) as expected_at
        from
            first_boundary
            inner join cut using (settlement_id)
    ),
    -- A cut-off in time has all transactions of one instant on one side.
    same_span as (
        select
            chosen.settlement_id,
            max(clocked_transaction.position) as position
        from
            chosen
            inner join clocked_transaction on clocked_transaction.clock = chosen.clock
            and clocked_transaction.terminal_id = chosen.terminal_id
            and span_of (clocked_transaction.clock_at) = span_of (chosen.expected_at)
            and clocked_transaction.clock_at <= chosen.expected_at
        group by chosen.settlement_id
    ),
    -- What a plain window with the usual lag would say.
    windowed as (
        select
            chosen.*,
            coalesce(lag(chosen.position) over (in_order), 0) as previous_position,
            coalesce(same_span.position, span_end.position, 0) as window_position
        from
            chosen
            left join same_span using (settlement_id)
            asof left join span_end on span_end.clock = chosen.clock
            and span_end.terminal_id = chosen.terminal_id
            and span_end.span < span_of (chosen.expected_at)
        window
            in_order as (
                partition by chosen.terminal_id
                order by chosen.ordinal
            )
    )
select
    windowed.settlement_id,
    windowed.terminal_id,
    windowed.ordinal,
    windowed.clock,
    windowed.support,
    windowed.lag_s,
    windowed.previous_position,
    windowed.position,
    coalesce(lag(windowed.running_cents) over (in_order), 0) as previous_cents,
    windowed.running_cents,
    windowed.window_position = windowed.position
    and coalesce(lag(windowed.window_position = windowed.position) over (in_order), true) as is_plain_window,
    windowed.cut_at,
    windowed.cut_id,
    coalesce(windowed.next_at = windowed.cut_at, false) as is_within_instant,
    -- An instant between the last transaction in and the first one out, as near to the usual lag as can be.
    greatest(
        coalesce(windowed.cut_at, timestamp '0001-01-01'),
        least(
            coalesce(windowed.next_at - interval 1 microsecond, windowed.expected_at),
            windowed.expected_at
        )
    ) as cut_instant
from windowed
window
    in_order as (
        partition by windowed.terminal_id
        order by windowed.ordinal
    )
