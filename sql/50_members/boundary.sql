-- model    boundary
-- grain    one row per settlement of a terminal that has settled transactions: where it begins and ends
-- reads    boundary_before_shifts, bucket_end, ordered_transaction, shift
-- rule     R-07: a settlement contains the transactions after the end of the one before it, up to its own end, less those that a shift moves
-- silent   nothing
with
    shifted_cutoff as (
        select boundary_before_shifts.* replace(cut_again.new_cut_position as position)
        from
            boundary_before_shifts
            inner join (
                select cut_settlement_id as settlement_id, min(new_cut_position) as new_cut_position
                from shift
                where new_cut_position is not null
                group by cut_settlement_id
            ) as cut_again using (settlement_id)
    ),
    -- Only the cut-offs that a shift moved need new sums and times.
    last_position as (
        from ordered_transaction semi join shifted_cutoff using (clock, terminal_id, position)
    ),
    moved_cutoff as (
        select
            shifted_cutoff.* replace(
                coalesce(last_position.running_cents, 0) as running_cents,
                last_position.transaction_id as cut_id, last_position.clock_at as cut_at,
                last_position.next_at as next_at
            )
        from shifted_cutoff left join last_position using (clock, terminal_id, position)
    ),
    final_position as (
        select
            * exclude (previous_position, previous_cents),
            created - to_microseconds((coalesce(lag_s, 0) * 1000000)::bigint) as expected_at
        from
            (
                from boundary_before_shifts anti join moved_cutoff using (settlement_id)
                union all by name
                from moved_cutoff
            )
    ),
    -- A cut-off by time alone has all transactions of one instant on the same side.
    same_bucket as (
        select final_position.settlement_id, max(ordered_transaction.position) as position
        from
            final_position
            inner join ordered_transaction on ordered_transaction.clock = final_position.clock
            and ordered_transaction.terminal_id = final_position.terminal_id
            and span_of (ordered_transaction.clock_at) = span_of (final_position.expected_at)
            and ordered_transaction.clock_at <= final_position.expected_at
        group by final_position.settlement_id
    ),
    -- window_position is where a window with the usual lag alone would end the settlement.
    final_cutoff as (
        select
            final_position.*,
            coalesce(lag(final_position.position) over (in_order), 0) as previous_position,
            coalesce(same_bucket.position, bucket_end.position, 0) as window_position
        from
            final_position
            left join same_bucket using (settlement_id)
            asof left join bucket_end on bucket_end.clock = final_position.clock
            and bucket_end.terminal_id = final_position.terminal_id
            and bucket_end.span < span_of (final_position.expected_at)
        window
            in_order as (
                partition by final_position.terminal_id
                order by final_position.ordinal
            )
    )
select
    final_cutoff.settlement_id, final_cutoff.terminal_id, final_cutoff.ordinal, final_cutoff.clock,
    final_cutoff.lag_s, final_cutoff.previous_position, final_cutoff.position,
    coalesce(lag(final_cutoff.running_cents) over (in_order), 0) as previous_cents,
    final_cutoff.running_cents,
    final_cutoff.window_position = final_cutoff.position
    and coalesce(
        lag(final_cutoff.window_position = final_cutoff.position) over (in_order),
        true
    ) as is_plain_window,
    final_cutoff.cut_at, final_cutoff.cut_id,
    coalesce(final_cutoff.next_at = final_cutoff.cut_at, false) as is_within_instant,
    -- An instant between the last transaction in and the first one out, as close to the usual lag as can be.
    greatest(
        coalesce(final_cutoff.cut_at, timestamp '0001-01-01'),
        least(
            coalesce(final_cutoff.next_at - interval 1 microsecond, final_cutoff.expected_at),
            final_cutoff.expected_at
        )
    ) as cut_instant
from final_cutoff
window
    in_order as (
        partition by final_cutoff.terminal_id
        order by final_cutoff.ordinal
    )
