-- view     explained_evidence
-- grain    one row: the stored evidence of the explained settlement
-- reads    stored_evidence
-- rule     R-07: where it ends, by which clock
-- silent   nothing
select *
from stored_evidence
where settlement_id = getvariable('explained_id')
