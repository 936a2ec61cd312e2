-- model    first_candidate_position
-- grain    one row per settlement created in the range with a boundary: the first position at which it may end
-- reads    boundary, current_settlement, cutoff_candidate
-- rule     R-07: a settlement ends within its reach before it was created
-- silent   nothing
select settlement_id, min(cutoff_candidate.position) as position
from
    cutoff_candidate
    inner join boundary using (settlement_id, clock)
    semi join (
        from current_settlement
        where created >= getvariable('window_from') and created < getvariable('window_to')
    ) as settlement_in_range using (settlement_id)
group by settlement_id
