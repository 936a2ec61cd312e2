-- model    exception
-- grain    one row per account, code and subject
-- reads    earlier_exception, exception_code, exception_decision, exception_history, finding
-- rule     R-22: the id is the hash of account, code and subject; R-21: ages are calendar days; R-38: its state
-- silent   nothing; subjects created after as_of are here, too, and only the pack leaves them out
with
    identified_finding as (
        select
            substr(
                sha256(concat_ws('|', getvariable('account'), code, subject_type, subject_id)),
                1, 16
            ) as exception_id,
            code, subject_type, subject_id, terminal_id, amount_cents, certainty, detail,
            subject_created, event_seq
        from finding
    ),
    current_exception as (
        select *, getvariable('known_time') as last_seen, true as is_found
        from identified_finding inner join exception_code using (code)
    ),
    every_exception as (
        from current_exception
        union all by name
        select * exclude (was_found, returned_audit_seq), false as is_found
        from exception_history
        where exception_id not in (select exception_id from current_exception)
    ),
    decided_exception as (
        select
            every_exception.*,
            coalesce(earlier_exception.first_seen, every_exception.last_seen) as first_seen,
            decision.action, decision.actor, decision.reason, decision.assignee,
            case
                when exception_history.returned_audit_seq >= decision.seq then 'returned'
                when is_found and not exception_history.was_found then 'returned'
                when decision.seq is null
                and exception_history.returned_audit_seq is not null then 'returned'
                when decision.seq is null then 'undecided'
                when decision.action in ('exception.waive', 'exception.resolve')
                and decision.amount_cents is distinct from every_exception.amount_cents then 'changed'
                when decision.action in ('exception.waive', 'exception.resolve')
                and every_exception.event_seq > decision.event_seq then 'repeated'
                when decision.until_date < getvariable('as_of_date') then 'lapsed'
                else 'decided'
            end as standing
        from
            every_exception
            left join earlier_exception using (exception_id)
            left join exception_history using (exception_id)
            left join exception_decision as decision using (exception_id)
    )
select
    exception_id, code, severity, certainty, subject_type, subject_id, terminal_id, amount_cents,
    detail, first_seen, last_seen,
    getvariable('as_of_date') - business_date(subject_created) as age_days,
    case
        when not is_found then 'RESOLVED'
        when standing = 'decided' then decided_state (action)
        else 'OPEN'
    end as state,
    case
        when is_found and standing = 'decided' then actor
        when not is_found or standing <> 'undecided' then 'system'
    end as state_by,
    case
        when not is_found then 'no longer found'
        when standing = 'decided' then reason
        when standing = 'returned' then 'found again after it was gone'
        when standing = 'changed' then 'the amount changed after ' || actor || ' decided: ' || reason
        when standing = 'repeated' then 'happened again after ' || actor || ' decided: ' || reason
        when standing = 'lapsed' then 'waived by ' || actor || ' ' || reason
    end as state_reason,
    case
        when is_found and standing = 'decided' and action = 'exception.assign' then assignee
    end as assignee, subject_created, is_found, event_seq
from decided_exception
