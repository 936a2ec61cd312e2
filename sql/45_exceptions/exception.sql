-- model    exception
-- grain    one row per account, code and subject
-- reads    finding, seen_exception
-- rule     R-22: the id is the hash of account, code and subject; R-21: ages are calendar days
-- silent   nothing; what was created after as_of is here too, and only the pack leaves it out
with
    identified as (
        select
            substr(
                sha256(concat_ws('|', getvariable('account'), code, subject_type, subject_id)),
                1,
                16
            ) as exception_id,
            code,
            subject_type,
            subject_id,
            terminal_id,
            amount_cents,
            certainty,
            detail,
            subject_created
        from finding
    )
select
    exception_id,
    code,
    case
        when code in (
            'PENDING_STALE',
            'PENDING_DRIFT',
            'UNSETTLED_AGED',
            'TOTAL_MISMATCH',
            'DUPLICATE_CHARGE',
            'SURCHARGE_NOT_ENABLED',
            'SURCHARGE_OVER_RATE',
            'TERMINAL_TYPE_MISMATCH',
            'ACH_CODE_NOT_ACCEPTED',
            'TERMINAL_INACCESSIBLE'
        ) then 'warning'
        else 'error'
    end as severity,
    certainty,
    subject_type,
    subject_id,
    terminal_id,
    amount_cents,
    detail,
    coalesce(seen_exception.first_seen, getvariable('known_time')) as first_seen,
    getvariable('known_time') as last_seen,
    getvariable('as_of_date') - business_date(subject_created) as age_days,
    'OPEN' as state,
    null::varchar as state_by,
    null::varchar as state_reason,
    subject_created
from
    identified
    left join seen_exception using (exception_id)
