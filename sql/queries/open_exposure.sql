-- model    open_exposure
-- grain    one row: the open unexplained differences of a run's range, and the open exceptions of older subjects with their gross difference
-- reads    current_exception, lake.ops.run, lake.result.settlements
-- rule     R-68: short and over are never netted
-- silent   differences that are explained, waived or resolved
with
    open_exception as (
        select
            code, "subjectId",
            replace(amount, '.', '')::bigint as amount_cents,
            exception_day ("ageDays", "firstSeen") as day
        from current_exception
        where state in ('OPEN', 'ASSIGNED')
    ),
    unexplained_difference as (
        select replace("unexplainedAmount", '.', '')::bigint as difference_cents
        from lake.result.settlements
        where
            run_id = getvariable('run_id')
            and verdict = 'BREAK'
            and "settlementId" in (
                select "subjectId"
                from open_exception
                where code = 'AMOUNT_MISMATCH'
            )
    ),
    older_exception as (
        select code, amount_cents
        from open_exception
        where day < (select window_from from lake.ops.run where run_id = getvariable('run_id'))
    )
select
    count(*) as settlements,
    coalesce(sum(short_cents (difference_cents)), 0)::varchar as short_cents,
    coalesce(sum(over_cents (difference_cents)), 0)::varchar as over_cents,
    coalesce(sum(abs(difference_cents)), 0)::varchar as gross_cents,
    (select count(*) from older_exception) as older,
    (
        select coalesce(sum(abs(amount_cents)) filter(where code = 'AMOUNT_MISMATCH'), 0)
        from older_exception
    )::varchar as older_cents
from unexplained_difference
