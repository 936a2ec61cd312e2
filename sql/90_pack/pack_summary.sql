-- pack     the summaries: the rows of all their parts, as JSON
-- grain    one row per row of a part, in the order of that part
-- reads    pack_summary_ageing, pack_summary_approval, pack_summary_certainty, pack_summary_change, pack_summary_code, pack_summary_day, pack_summary_difference, pack_summary_exposure, pack_summary_open, pack_summary_pending, pack_summary_previous, pack_summary_refund, pack_summary_step, pack_summary_terminal, pack_summary_verdict, pack_summary_worklist
-- rule     R-37: what the summaries show
-- silent   nothing: each part has a model of its own
select 'verdict' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_verdict) as summary_row
union all
select 'exposure' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_exposure) as summary_row
union all
select 'certainty' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_certainty) as summary_row
union all
select 'open' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_open) as summary_row
union all
select 'worklist' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_worklist) as summary_row
union all
select 'day' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_day) as summary_row
union all
select 'ageing' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_ageing) as summary_row
union all
select 'code' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_code) as summary_row
union all
select 'terminal' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_terminal) as summary_row
union all
select 'difference' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_difference) as summary_row
union all
select 'step' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_step) as summary_row
union all
select 'previous' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_previous) as summary_row
union all
select 'approval' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_approval) as summary_row
union all
select 'change' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_change) as summary_row
union all
select 'pending' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_pending) as summary_row
union all
select 'refund' as part, to_json(summary_row)::varchar as cells
from (select columns (*)::varchar from pack_summary_refund) as summary_row
