-- model    settlement_interval
-- grain    one row per settlement and span of time within its interval
-- reads    boundary, bucket_end
-- rule     R-07: a settlement holds what lies after the end of the one before it, up to its own end
-- silent   settlements without a transaction; if several end at one position, the first contains the transactions before it
with
    interval_end as (
        select
            terminal_id, clock, position,
            arg_min(settlement_id, ordinal) as settlement_id,
            arg_min(is_plain_window, ordinal) as is_plain_window,
            any_value(cut_at) as until_at,
            any_value(cut_id) as until_id,
            -- Transactions of one instant are in order of id: the first of them may be in the settlement and the rest out.
            bool_or(is_within_instant) as is_split
        from boundary
        where position > 0
        group by terminal_id, clock, position
    ),
    first_instant as (
        select clock, terminal_id, min(begins_at) - interval 1 microsecond as began_at
        from bucket_end
        group by clock, terminal_id
    ),
    interval as (
        select
            interval_end.*,
            lag(until_at, 1, began_at) over in_order as after_at,
            lag(until_id, 1, -1) over in_order as after_id,
            lag(is_split, 1, false) over in_order as begins_split
        from interval_end inner join first_instant using (clock, terminal_id)
        window
            in_order as (
                partition by terminal_id
                order by position
            )
    ),
    interval_part as (
        select
            settlement_id, terminal_id, is_plain_window,
            after_at + interval 1 microsecond as from_at,
            case when is_split then until_at - interval 1 microsecond else until_at end as until_at,
            -1 as after_id,
            9223372036854775807 as until_id
        from interval
        union all
        select
            settlement_id, terminal_id, is_plain_window, after_at, after_at, after_id,
            case when until_at = after_at then until_id else 9223372036854775807 end
        from interval
        where begins_split
        union all
        select settlement_id, terminal_id, is_plain_window, until_at, until_at, -1, until_id
        from interval
        where is_split and until_at > after_at
    )
select
    settlement_id, terminal_id, is_plain_window, from_at, until_at, after_id, until_id,
    -- Spans are the key of a join, so that transactions stream past a small table.
    unnest(range(span_of (from_at), span_of (until_at) + 1)) as span
from interval_part
where from_at <= until_at
