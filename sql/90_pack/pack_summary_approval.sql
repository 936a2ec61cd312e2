-- pack     the summaries: approvals of earlier packs that cover days of this one
-- grain    one row per approval, the newest first
-- reads    earlier_approval
-- rule     R-36: who prepared a pack and who approved it
-- silent   the approval of this pack itself, which comes after it
select
    run_id as "runId",
    from_date as "from",
    to_date as "to",
    prepared_by as "preparedBy",
    approved_by as "approvedBy",
    approved_at as "approvedAt"
from earlier_approval
order by seq desc
