-- model    boundary
-- grain    one row per settlement of a terminal that has settled transactions: where it begins and ends
-- reads    boundary_before_shifts, bucket_end, ordered_transaction, shift
-- rule     R-07: a settlement holds what lies after the end of the one before it, up to its own end, less what a shift moves
-- silent   nothing
with
    cut_anew as (
        select boundary_before_shifts.* replace(cut_again.new_cut_position as position)
        from
            boundary_before_shifts
            inner join (
                select
                    cut_settlement_id as settlement_id,
                    min(new_cut_position) as new_cut_position
                from shift
                where new_cut_position is not null
                group by cut_settlement_id
            ) as cut_again using (settlement_id)
    ),
    -- Where all others are is known.
    place as (
        from
            ordered_transaction
            semi join cut_anew using (clock, terminal_id, position)
    ),
    moved as (
        select
            cut_anew.* replace(
                coalesce(place.running_cents, 0) as running_cents,
                place.transaction_id as cut_id,
                place.clock_at as cut_at,
                place.next_at as next_at
            )
        from
            cut_anew
            left join place using (clock, terminal_id, position)
    ),
    chosen as (
        select
            * exclude (previous_position, previous_cents),
            created - to_microseconds((coalesce(lag_s, 0) * 1000000)::bigint) as expected_at
        from
            (
                from
                    boundary_before_shifts
                    anti join moved using (settlement_id)
                union all
                by name
                from moved
            )
    ),
    -- A cut-off in time has all transactions of one instant on one side.
    same_span as (
        select
            chosen.settlement_id,
            max(ordered_transaction.position) as position
        from
            chosen
            inner join ordered_transaction on ordered_transaction.clock = chosen.clock
            and ordered_transaction.terminal_id = chosen.terminal_id
            and span_of (ordered_transaction.clock_at) = span_of (chosen.expected_at)
            and ordered_transaction.clock_at <= chosen.expected_at
        group by chosen.settlement_id
    ),
    -- What a plain window with the usual lag would say.
    windowed as (
        select
            chosen.*,
            coalesce(lag(chosen.position) over (in_order), 0) as previous_position,
            coalesce(same_span.position, bucket_end.position, 0) as window_position
        from
            chosen
            left join same_span using (settlement_id)
            asof left join bucket_end on bucket_end.clock = chosen.clock
            and bucket_end.terminal_id = chosen.terminal_id
            and bucket_end.span < span_of (chosen.expected_at)
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
