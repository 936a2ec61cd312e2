-- model    work_item
-- grain    one row per subject with an exception that is open or assigned, and per settlement of the range that can't be judged
-- reads    exception, excluded_component, next_step, tieout
-- rule     R-69: the row shows the subject's exception with the largest amount
-- silent   exceptions that are waived or resolved, and subjects created after as_of
with
    open_exception as (
        select
            exception.*,
            tieout.certificate, excluded_component.component,
            coalesce(tieout.explanation, '') as explanation
        from
            exception
            left join tieout on exception.code = 'AMOUNT_MISMATCH'
            and tieout.settlement_id = try_cast(exception.subject_id as bigint)
            left join excluded_component on excluded_component.settlement_id = tieout.settlement_id
        where
            exception.state in ('OPEN', 'ASSIGNED')
            and coalesce(exception.subject_created <= getvariable('as_of'), true)
    ),
    unjudged_settlement as (
        select
            null::varchar as exception_id,
            'NO_DATA' as code,
            'error' as severity,
            'settlement' as subject_type,
            settlement_id::varchar as subject_id,
            terminal_id, certificate, reported_cents as amount_cents, created as subject_created,
            getvariable('as_of_date') - business_date as age_days,
            '' as explanation
        from tieout
        where verdict = 'NO_DATA' and in_range and created <= getvariable('as_of')
    ),
    open_subject as (
        from open_exception
        union all by name
        from unjudged_settlement
    ),
    subject_total as (
        select
            subject_type, subject_id,
            string_agg(exception_id, ';' order by exception_id) as exception_ids,
            max(assignee) as assignee
        from open_subject
        group by subject_type, subject_id
    ),
    largest_exception as (
        select *
        from open_subject
        qualify
            row_number() over (
                partition by subject_type, subject_id
                order by abs(amount_cents) desc nulls last, severity, code
            ) = 1
    )
select
    subject_type, subject_id, largest_exception.terminal_id, largest_exception.amount_cents,
    largest_exception.severity,
    coalesce(subject_created, first_seen) as since_at,
    largest_exception.age_days,
    case
        when largest_exception.certainty is not null then largest_exception.certainty
        when code in ('AMOUNT_MISMATCH', 'NO_DATA') then certificate
        else 'CERTAIN'
    end as certainty,
    replace(next_step.cause, '{component}', coalesce(component, 'component')) as cause,
    next_step.ask_whom,
    concat(
        replace(next_step.step, '{component}', coalesce(component, 'component')),
        case subject_type
            when 'settlement' then ': tieout explain ' || subject_id
            else ': tieout exceptions show ' || largest_exception.exception_id
        end
    ) as next_step,
    subject_total.assignee, subject_total.exception_ids
from
    largest_exception
    inner join subject_total using (subject_type, subject_id)
    inner join next_step using (code, explanation)
