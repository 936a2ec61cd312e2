-- model    swap_cut
-- grain    one row per settlement and each of its cut-offs: the positions that count as inside it when transactions are swapped there
-- reads    boundary
-- rule     R-09: transactions within two hours of a cut-off could move or be swapped across it
-- silent   the beginning of a terminal's history, which is no cut-off
-- drop     after its last reader
with
    cut as (
        select
            settlement_id, terminal_id, clock, previous_position, position,
            position as cut_position,
            nullif(previous_position, position) as other_position
        from boundary
        union all
        select
            settlement_id, terminal_id, clock, previous_position, position, previous_position,
            nullif(position, previous_position)
        from boundary
        where previous_position > 0 and previous_position <> position
    ),
    cut_time as (
        select distinct terminal_id, position, cut_at
        from boundary
        where position > 0
    ),
    timed_cut as (
        select
            cut.*,
            cut_time.cut_at, other.cut_at as other_at,
            -- A settlement is short if its other cut-off lies among the transactions around this one, or if it has no
            -- transaction.
            coalesce(
                other.cut_at between cut_time.cut_at - 2 * swap_distance () and cut_time.cut_at + 2 * swap_distance (),
                false
            )
            or cut.previous_position = cut.position as is_short
        from
            cut
            inner join cut_time on cut_time.terminal_id = cut.terminal_id
            and cut_time.position = cut.cut_position
            left join cut_time as other on other.terminal_id = cut.terminal_id
            and other.position = cut.other_position
    )
    -- If a settlement is not short, all transactions around the cut-off lie on one side of it or on the other. Then the
    -- settlement before it and the one after it have the same swaps, with opposite signs. The swaps are counted once, for
    -- counted_id.
select
    settlement_id, terminal_id, clock, cut_position, cut_at,
    case when is_short then other_at end as other_at,
    case when is_short then previous_position else 0 end as from_position,
    case when is_short then position else cut_position end as until_position,
    min(settlement_id) over (
        partition by terminal_id, cut_position, from_position, until_position
    ) as counted_id
from timed_cut
