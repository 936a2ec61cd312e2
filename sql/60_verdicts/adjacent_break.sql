-- model    adjacent_break
-- grain    one row per settlement and untied settlement before or after it, if nothing supports the cut-off between them
-- reads    settlement_neighbour
-- rule     R-09: the cut-off beside a BREAK has no support
-- silent   cut-offs of a settlement that ids place, if running totals did not place its neighbour either
select settlement_id, previous_id as break_id, previous_verdict as break_verdict
from settlement_neighbour
where
    is_open
    and previous_verdict in ('BREAK', 'EXPLAINED')
    and (method <> 'EXPLICIT_ID' or previous_method in ('WINDOW', 'ALIGNED'))
union all
select settlement_id, next_id, next_verdict
from settlement_neighbour
where
    is_open
    and next_verdict in ('BREAK', 'EXPLAINED')
    and (method <> 'EXPLICIT_ID' or next_method in ('WINDOW', 'ALIGNED'))
