-- model    relevant_transaction
-- grain    one row per transaction that the explanation reads
-- reads    explained_evidence, explained_time_range, late_member, shift, stored_evidence, stored_member, tieout, transaction_in_range
-- rule     R-07: all that lies between the possible cut-offs, and all that the run names
-- silent   nothing
select transaction_id
from transaction_in_range
union
select transaction_id
from stored_member
union
select transaction_id
from late_member
union
select unnest([cut_id, previous_cut_id])
from explained_evidence
union
select transaction_id
from shift
union
select unnest(string_split(explained_by, ';'))::bigint
from tieout
where explained_by is not null
union
select unnest(late_ids)
from stored_evidence semi join explained_time_range on created between begins_at and ends_at
