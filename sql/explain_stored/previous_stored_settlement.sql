-- model    previous_stored_settlement
-- grain    at most one row: the settlement at whose cut-off the explained one begins
-- reads    explained_evidence, stored_evidence
-- rule     R-07: a settlement begins at the end of the one before
-- silent   nothing
select earlier.settlement_id, earlier.earliest_at, earlier.created
from
    stored_evidence as earlier
    inner join explained_evidence on (earlier.created, earlier.settlement_id) < (explained_evidence.created, explained_evidence.settlement_id)
order by earlier.created desc, earlier.settlement_id desc
limit 1
