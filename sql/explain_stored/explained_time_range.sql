-- model    explained_time_range
-- grain    one row per range of instants in which transactions matter for the explained settlement; no two ranges overlap
-- reads    explained_evidence, member_time_range, previous_stored_settlement
-- rule     R-07: its window and that of the settlement before; R-09: what lies close to either cut-off
-- silent   transactions that the run names, wherever they lie
with
    part_of_time as (
        from member_time_range
        union all
        -- Its window begins with the last transaction before it.
        select
            case when is_early then coalesce(cut_at, timestamp '0001-01-01') else earliest_at end,
            latest_at
        from explained_evidence
        where clock is not null
        union all
        -- The range of the settlement before, by the clock of this settlement.
        select previous.earliest_at, previous.created + (here.latest_at - here.created)
        from explained_evidence as here cross join previous_stored_settlement as previous
        where clock is not null
        union all
        select
            unnest([cut_at, previous_cut_at]) - swap_distance (),
            unnest([cut_at, previous_cut_at]) + swap_distance ()
        from explained_evidence
    ),
    part_with_overlap as (
        select
            *,
            begins_at > max(ends_at) over (
                order by begins_at, ends_at rows between unbounded preceding and 1 preceding
            ) as is_apart
        from part_of_time
        where begins_at is not null
    ),
    part_with_range as (
        select
            *,
            count(*) filter(is_apart) over (
                order by begins_at, ends_at rows unbounded preceding
            ) as range_no
        from part_with_overlap
    )
select
    min(begins_at) as begins_at,
    max(ends_at) as ends_at,
    (select clock = 'modified' from explained_evidence) as is_by_modified
from part_with_range
group by range_no
