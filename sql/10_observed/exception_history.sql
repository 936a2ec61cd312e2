-- model    exception_history
-- grain    one row per exception that an earlier run found: what it was then, and whether it was there still
-- reads    ops_exception_event, ops_exception_scan
-- rule     R-38: an exception that is no longer found closes by itself, and opens again when it comes back
-- silent   runs after exception_scan, on later knowledge, or as of a later time
with
    scans as (
        select
            scan_seq,
            known_time,
            audit_seq
        from ops_exception_scan
        where
            account = getvariable('account')
            and scan_seq <= getvariable('exception_scan')
            and known_at <= getvariable('known_at')
            and as_of <= getvariable('as_of')
    ),
    events as (
        select
            events.*,
            scans.audit_seq,
            lag(event) over (partition by exception_id order by events.scan_seq) as event_before
        from
            ops_exception_event as events
            inner join scans on scans.scan_seq = events.scan_seq
        where account = getvariable('account')
    ),
    known as (
        select
            exception_id,
            arg_max(event, scan_seq) = 'found' as was_found,
            max(scan_seq) filter(where event = 'gone') as gone_seq,
            -- Acts up to this one were about the time before it came back.
            max(audit_seq) filter(
                where
                    event = 'found'
                    and event_before = 'gone'
            ) as returned_audit_seq,
            max(scan_seq) filter(where event = 'found') as found_seq
        from events
        group by exception_id
    ),
    last_seen as (
        select
            known.exception_id,
            max(scans.known_time) as last_seen
        from
            known
            inner join scans on known.was_found
            or scans.scan_seq < known.gone_seq
        group by known.exception_id
    )
select
    known.exception_id,
    events.code,
    events.severity,
    events.certainty,
    events.subject_type,
    events.subject_id,
    events.terminal_id,
    events.amount_cents,
    events.detail,
    events.subject_created,
    known.was_found,
    known.returned_audit_seq,
    last_seen.last_seen
from
    known
    inner join events on events.exception_id = known.exception_id
    and events.scan_seq = known.found_seq
    inner join last_seen on last_seen.exception_id = known.exception_id
