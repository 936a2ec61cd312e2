-- pack     the summaries: the first items of the worklist
-- grain    one row per item, forty at most
-- reads    pack_worklist
-- rule     R-69: the worklist
-- silent   the items beyond the fortieth, which are in worklist.csv
select *, count(*) over () as "ofAll"
from pack_worklist
qualify "rank"::bigint <= 40
order by "rank"::bigint
