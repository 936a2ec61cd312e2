-- model    exception_change
-- grain    a row per decision about exception $2 of account $1, and per run that found it anew, changed, happening again or gone
-- reads    lake.ops.audit, lake.ops.exception_event, lake.ops.exception_scan
-- rule     R-38: an exception has a life
-- silent   runs that found it unchanged
with
    scan as (
        select
            scan_seq, audit_seq, known_time, amount_cents, event,
            lag(event) over (order by scan_seq) as event_before,
            event_seq > lag(event_seq) over (order by scan_seq) as is_repeated
        from lake.ops.exception_event inner join lake.ops.exception_scan using (scan_seq, account)
        where account = $1 and exception_id = $2
    )
select * exclude (rank, seq)
from
    (
        select
            audit_seq as rank, scan_seq as seq,
            instant(known_time) as at,
            case
                when event = 'gone' then 'gone'
                when event_before = 'found' and is_repeated then 'happened again'
                when event_before = 'found' then 'changed'
                when event_before = 'gone' then 'found again'
                else 'found'
            end as what,
            null::varchar as by,
            null::varchar as reason,
            money(amount_cents) as amount
        from scan
        union all
        select
            seq,
            -1,
            acted_at,
            substr(action, length('exception.') + 1),
            actor,
            decided_reason (action, detail, reason),
            money(json_extract_string(detail, '$.amountCents')::bigint)
        from lake.ops.audit
        where account = $1 and subject = $2 and starts_with(action, 'exception.')
    )
order by rank, seq
