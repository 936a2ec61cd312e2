-- model    boundary
-- grain    one row per settlement of a terminal that has settled transactions: where it begins and ends
-- reads    first_boundary, shift, clocked_transaction
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
    chosen as (
        select
            first_boundary.* replace(coalesce(cut_again.new_cut_position, first_boundary.position) as position),
            first_boundary.created - to_microseconds((coalesce(first_boundary.lag_s, 0) * 1000000)::bigint) as expected_at
        from
            first_boundary
            left join cut_again using (settlement_id)
    ),
    -- A cut-off in time has all transactions of one instant on one side.
    instants as (
        select
            clock,
            terminal_id,
            clock_at,
            position
        from clocked_transaction
        where
            next_at is null
            or next_at > clock_at
    ),
    -- What a plain window with the usual lag would say.
    windowed as (
        select
            chosen.* exclude (previous_position),
            coalesce(lag(chosen.position) over (in_order), 0) as previous_position,
            coalesce(by_time.position, 0) as window_position
        from
            chosen
            asof left join instants as by_time on by_time.clock = chosen.clock
            and by_time.terminal_id = chosen.terminal_id
            and by_time.clock_at <= chosen.expected_at
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
    windowed.window_position = windowed.position
    and coalesce(lag(windowed.window_position = windowed.position) over (in_order), true) as is_plain_window,
    cut.clock_at as cut_at,
    -- An instant between the last transaction in and the first one out, as near to the usual lag as can be.
    greatest(
        coalesce(cut.clock_at, timestamp '0001-01-01'),
        least(
            coalesce(cut.next_at - interval 1 microsecond, windowed.expected_at),
            windowed.expected_at
        )
    ) as cut_instant
from
    windowed
    left join clocked_transaction as cut on cut.clock = windowed.clock
    and cut.terminal_id = windowed.terminal_id
    and cut.position = windowed.position
window
    in_order as (
        partition by windowed.terminal_id
        order by windowed.ordinal
    )
