-- model    catalog_digest
-- grain    one row per snapshot of the catalog: the sha256 of the rows that it wrote
-- reads    catalog_line
-- rule     R-65: a run reads only rows that are as the lake wrote them
-- silent   nothing
select snapshot, sha256(string_agg(concat(kind, ' ', line), chr(10) order by kind, line)) as sha256
from catalog_line
group by snapshot
