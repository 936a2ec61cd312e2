-- model    pending_cutoff
-- grain    one row per PENDING settlement: its end among unsettled captures, and whether its settled members, or these captures, add up to its net
-- reads    pending_start, unplaced_capture
-- rule     R-11: members of a PENDING settlement may carry the settled flag or not; the nets show which
-- silent   the end of a settlement that no unsettled capture can belong to
with
    candidate as (
        select
            pending_start.settlement_id, pending_start.terminal_id, pending_start.ordinal,
            pending_start.base_position, unplaced_capture.position,
            unplaced_capture.running_cents - pending_start.base_cents = pending_start.remaining_cents as is_exact,
            abs(epoch(unplaced_capture.clock_at) - epoch(pending_start.expected_at)) as deviation_s,
            unplaced_capture.clock_at <= pending_start.expected_at as is_expected
        from
            pending_start
            inner join unplaced_capture on unplaced_capture.terminal_id = pending_start.terminal_id
            and unplaced_capture.position > pending_start.base_position
            and unplaced_capture.clock_at <= pending_start.created + clock_skew ()
        where not is_reached
    ),
    best_end as (
        select *
        from candidate
        where is_exact or is_expected
        qualify
            row_number() over (
                partition by settlement_id
                order by is_exact desc, deviation_s, position
            ) = 1
    ),
    span as (
        select
            *,
            greatest(
                base_position,
                coalesce(
                    lag(position) over (partition by terminal_id, base_position order by ordinal),
                    base_position
                )
            ) as after_position
        from best_end
    )
select
    pending_start.settlement_id, span.terminal_id, span.ordinal, span.after_position, span.position,
    settled_ties,
    coalesce(span.is_exact, false) as unsettled_ties,
    coalesce(span.position > span.after_position, false) as may_hold
from pending_start left join span using (settlement_id)
