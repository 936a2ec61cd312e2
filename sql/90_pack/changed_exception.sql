-- model    changed_exception
-- grain    one row per exception that is new, or closed, or open outside the range since the previous pack
-- reads    pack_exceptions, previous_exception, previous_run
-- rule     R-37: exceptions whatever their date
-- silent   exceptions that both packs have in their ranges
with
    -- A pack goes on listing a resolved exception for some days, but the exception is closed.
    open_before as (
        select *
        from previous_exception
        where state <> 'RESOLVED'
    ),
    open_after as (
        select *, exception_day ("ageDays", "firstSeen") as day
        from pack_exceptions
        where "state" <> 'RESOLVED'
    )
select
    case
        when before.exception_id is null then 'OPENED'
        when after."exceptionId" is null then 'CLOSED'
        else 'LEFT_OPEN'
    end as kind,
    coalesce(after."subjectType", before.subject_type) as subject_type,
    coalesce(after."subjectId", before.subject_id) as subject_id,
    coalesce(after."terminalId", before.terminal_id) as terminal_id,
    coalesce(after."code", before.code) as code,
    coalesce(after."severity", before.severity) = 'error' as is_error,
    before.amount as before,
    after."amount" as after
from
    open_before as before
    full join open_after as after on after."exceptionId" = before.exception_id
where
    exists (from previous_run)
    and (
        before.exception_id is null
        or after."exceptionId" is null
        -- Its day was in the range of the previous pack, and is outside that of this one.
        or (
            after.day not between getvariable('from_date') and getvariable('to_date') - 1
            and exists (from previous_run where after.day between from_date and to_date - 1)
        )
    )
