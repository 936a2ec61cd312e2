-- model    previous_run
-- grain    one row: the run that this one is compared with; none if it is the account's first
-- reads    ops_audit, ops_run, result_control_totals
-- rule     R-37: the newest run from fewer landings whose control totals passed; if a pack is made again, the run that its manifest names
-- silent   runs from the same landings, and runs whose pack was withheld because a control total failed
with
    withheld_run as (
        select distinct run_id
        from result_control_totals
        where "pass" <> 'true'
    )
select
    run.run_id, run.window_from as from_date, run.window_to as to_date, run.as_of, run.known_at,
    exists (
        from ops_audit
        where
            ops_audit.account = run.account
            and ops_audit.action = 'pack.approve'
            and ops_audit.subject = run.run_id
            and ops_audit.seq <= getvariable('audit_seq')
    ) as is_approved
from ops_run as run
where
    run.account = getvariable('account')
    and case
        when getvariable('previous_run') is null then run.known_at < getvariable('known_at')
        and run.run_id not in (select run_id from withheld_run)
        else run.run_id = getvariable('previous_run')
    end
qualify
    row_number() over (
        order by run.known_at desc, run.window_to desc, run.recorded_at, run.run_id
    ) = 1
