-- pack     exceptions.csv
-- grain    one row per exception that is open or waived at as_of, whatever its date, and per resolved exception of the range
-- reads    exception
-- rule     R-22: identity; R-38: states; R-32: text in files
-- silent   exceptions of subjects created after as_of
select
    getvariable('account') as "account",
    exception_id as "exceptionId",
    code as "code",
    severity as "severity",
    certainty as "certainty",
    subject_type as "subjectType",
    subject_id as "subjectId",
    terminal_id::varchar as "terminalId",
    money(amount_cents) as "amount",
    guard(detail) as "detail",
    instant(first_seen) as "firstSeen",
    instant(last_seen) as "lastSeen",
    age_days::varchar as "ageDays",
    state as "state",
    guard(state_by) as "stateBy",
    guard(state_reason) as "stateReason",
    guard(assignee) as "assignee"
from exception
where
    coalesce(subject_created <= getvariable('as_of'), true)
    and (
        state <> 'RESOLVED'
        or (
            subject_created >= getvariable('window_from')
            and subject_created < getvariable('window_to')
        )
        or (first_seen >= getvariable('window_from') and first_seen < getvariable('window_to'))
    )
order by
    severity = 'warning',
    code,
    try_cast(subject_id as bigint) nulls last,
    subject_id, subject_type
