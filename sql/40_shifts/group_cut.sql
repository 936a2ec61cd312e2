-- model    group_cut
-- grain    one row per group, way to cut it and settlement in it: its begin and end, and its difference
-- reads    cutoff_candidate, difference_group
-- rule     R-28: the present cut-offs, or one cut-off that no neighbour supports at another position close to the usual lag
-- silent   ways with two other cut-offs; cut_ordinal and cut_position are 0 if all cut-offs are the present ones
-- drop     after its last reader
with
    cut as (
        select distinct
            group_id, 0 as cut_ordinal, 0 as cut_position, 0 as change_cents, 0 as deviation_s
        from difference_group
        union all
        select
            difference_group.group_id, difference_group.ordinal, cutoff_candidate.position,
            cutoff_candidate.transactions_cents - difference_group.running_cents,
            cutoff_strays (cutoff_candidate.lag_low_s, cutoff_candidate.lag_high_s, difference_group.lag_s) as cut_deviation_s
        from
            difference_group
            inner join cutoff_candidate on cutoff_candidate.settlement_id = difference_group.settlement_id
            and cutoff_candidate.clock = difference_group.clock
            and cutoff_candidate.position > difference_group.previous_position
            and cutoff_candidate.position <= difference_group.next_position
            and cutoff_candidate.position <> difference_group.position
        where
            difference_group.has_next
            and difference_group.support < 2
            and is_usual_cutoff (cut_deviation_s, difference_group.spread_s)
    )
select
    difference_group.group_id, cut.cut_ordinal, cut.cut_position, cut.deviation_s,
    difference_group.clock, difference_group.terminal_id, difference_group.settlement_id,
    difference_group.ordinal,
    case difference_group.ordinal
        when cut.cut_ordinal + 1 then cut.cut_position
        else difference_group.previous_position
    end as begins_after,
    case difference_group.ordinal
        when cut.cut_ordinal then cut.cut_position
        else difference_group.position
    end as ends_at,
    difference_group.difference_cents + case difference_group.ordinal
        when cut.cut_ordinal then cut.change_cents
        when cut.cut_ordinal + 1 then -cut.change_cents
        else 0
    end as difference_cents
from difference_group inner join cut using (group_id)
