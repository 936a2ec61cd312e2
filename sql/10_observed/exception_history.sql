-- model    exception_history
-- grain    one row per exception that an earlier run found: its state then, and whether the newest of these runs still found it
-- reads    ops_exception_event, ops_exception_scan
-- rule     R-38: an exception that is no longer found is resolved by itself, and open again when it comes back
-- silent   runs after number exception_scan, and runs with a later known_at or as_of
with
    scan as (
        select scan_seq, known_time, audit_seq
        from ops_exception_scan
        where
            account = getvariable('account')
            and scan_seq <= getvariable('exception_scan')
            and known_at <= getvariable('known_at')
            and as_of <= getvariable('as_of')
    ),
    scan_event as (
        select
            scan_event.*,
            scan.audit_seq,
            lag(event) over (partition by exception_id order by scan_event.scan_seq) as event_before
        from
            ops_exception_event as scan_event
            inner join scan on scan.scan_seq = scan_event.scan_seq
        where account = getvariable('account')
    ),
    known_exception as (
        select
            exception_id,
            arg_max(event, scan_seq) = 'found' as was_found,
            max(scan_seq) filter(where event = 'gone') as gone_seq,
            -- The newest decision when the exception came back. Decisions up to it concern its earlier occurrence.
            max(audit_seq) filter(
                where event = 'found' and event_before = 'gone'
            ) as returned_audit_seq,
            max(scan_seq) filter(where event = 'found') as found_seq
        from scan_event
        group by exception_id
    ),
    last_sighting as (
        select known_exception.exception_id, max(scan.known_time) as last_seen
        from
            known_exception
            inner join scan on known_exception.was_found
            or scan.scan_seq < known_exception.gone_seq
        group by known_exception.exception_id
    )
select
    known_exception.exception_id, scan_event.code, scan_event.severity, scan_event.certainty,
    scan_event.subject_type, scan_event.subject_id, scan_event.terminal_id, scan_event.amount_cents,
    scan_event.detail, scan_event.subject_created, known_exception.was_found,
    known_exception.returned_audit_seq, last_sighting.last_seen
from
    known_exception
    inner join scan_event on scan_event.exception_id = known_exception.exception_id
    and scan_event.scan_seq = known_exception.found_seq
    inner join last_sighting on last_sighting.exception_id = known_exception.exception_id
