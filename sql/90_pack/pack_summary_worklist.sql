-- pack     the summaries: the first items of the worklist, those of settlements and the others
-- grain    one row per item, fifteen of settlements and fifteen others at most
-- reads    pack_worklist
-- rule     R-69: the worklist
-- silent   the items beyond the fifteenth of their kind, which are in worklist.csv
select
    *,
    "subjectType" = 'settlement' as "isSettlement",
    count(*) over (partition by "subjectType" = 'settlement') as "ofKind"
from pack_worklist
qualify row_number() over (partition by "subjectType" = 'settlement' order by "rank"::bigint) <= 15
order by "rank"::bigint
