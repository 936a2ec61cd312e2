-- model    stored_exception
-- grain    one row per exception as a run stored it: of the newest run, and each reopened one that this run left out
-- reads    lake.ops.audit, lake.ops.exception_event, lake.ops.exception_scan, lake.result.exceptions
-- rule     R-38: a run does not list an old resolved exception; a person may reopen it, and it is open before the next run
-- silent   reopened exceptions that the newest run no longer found
with
    reopened as (
        select subject as "exceptionId"
        from lake.ops.audit
        where
            account = getvariable('account')
            and starts_with(action, 'exception.')
            and subject not in (
                select "exceptionId"
                from lake.result.exceptions
                where run_id = getvariable('run_id')
            )
        group by subject
        having
            max(seq) > getvariable('audit_seq')
            and decided_state (arg_max(action, seq)) <> 'RESOLVED'
    ),
    still_found as (
        select exception_id as "exceptionId"
        from lake.ops.exception_event
        where
            account = getvariable('account')
            and exception_id in (select "exceptionId" from reopened)
        group by exception_id
        having arg_max(event, scan_seq) = 'found'
    ),
    -- The exception was open before a person resolved it, so a run listed it.
    last_listed as (
        select
            stored.* replace(
                (
                    select instant(known_time)
                    from lake.ops.exception_scan
                    where run_id = getvariable('run_id')
                ) as "lastSeen",
                (
                    "ageDays"::bigint + (business_date(getvariable('as_of')) - business_date(scan.as_of))
                )::varchar as "ageDays"
            )
        from
            lake.result.exceptions as stored
            inner join lake.ops.exception_scan as scan using (run_id, account)
        where
            account = getvariable('account')
            and "exceptionId" in (select "exceptionId" from still_found)
        qualify row_number() over (partition by "exceptionId" order by scan_seq desc) = 1
    )
select *
from lake.result.exceptions
where run_id = getvariable('run_id')
union all by name
select *
from last_listed
