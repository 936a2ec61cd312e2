-- model    earlier_approval
-- grain    one row per approval of an earlier pack that covers days of the range
-- reads    ops_audit, ops_run
-- rule     R-36: who prepared a pack and who approved it
-- silent   approvals after audit_seq, so also the approval of this run's own pack
select
    seq, run_id, window_from as from_date, window_to as to_date,
    json_extract_string(detail, '$.preparedBy') as prepared_by,
    actor as approved_by, acted_at as approved_at
from ops_audit inner join ops_run on run_id = subject
where
    ops_audit.account = getvariable('account')
    and ops_run.account = getvariable('account')
    and seq <= getvariable('audit_seq')
    and action = 'pack.approve'
    and window_from < getvariable('to_date')
    and window_to > getvariable('from_date')
