-- pack     control_totals.csv
-- grain    one row per control total, in a fixed order
-- reads    exception, finding, journal_control_total, landed_sweep, pack_exceptions, pack_worklist, rollforward_control_total, settlement_control_total, sweep, tieout
-- rule     R-26: a control total that fails withholds the pack
-- silent   nothing
with
    -- Leaves out listed exceptions that no longer exist. Counts resolved ones outside of the range, which the pack does not
    -- list.
    accounted_exception as (
        select coalesce(exception.code, listed."code") as code
        from
            exception
            full join pack_exceptions as listed on listed."exceptionId" = exception.exception_id
        where
            coalesce(is_found, true)
            and coalesce(subject_created <= getvariable('as_of'), true)
            and (listed."exceptionId" is not null or exception.state = 'RESOLVED')
    ),
    total as (
        select ordinal, name, is_money, expected, actual
        from settlement_control_total
        union all
        select ordinal, name, is_money, expected, actual
        from rollforward_control_total
        union all
        select ordinal, name, is_money, expected, actual
        from journal_control_total
        union all
        select
            31,
            'findings = exceptions listed or resolved (all dates)',
            false,
            (
                select count(*)
                from finding
                where coalesce(subject_created <= getvariable('as_of'), true)
            ),
            (select count(*) from accounted_exception)
        union all
        select
            32,
            'COMPLETE settlements with a difference = AMOUNT_MISMATCH listed or resolved (all dates)',
            false,
            (
                select count(*)
                from tieout
                where
                    status = 'COMPLETE'
                    and verdict <> 'TIED'
                    and difference_cents <> 0
                    and created <= getvariable('as_of')
            ),
            (select count(*) from accounted_exception where code = 'AMOUNT_MISMATCH')
        union all
        select
            33,
            'open exceptions = exceptions of the worklist (all dates)',
            false,
            (select count(*) from pack_exceptions where "state" in ('OPEN', 'ASSIGNED')),
            (
                select coalesce(sum(len(string_split("exceptionIds", ';'))), 0)::bigint
                from pack_worklist
            )
        union all
        select
            34,
            'records listed = records landed',
            false,
            coalesce(sum(records), 0)::bigint,
            coalesce(sum(landed_records + landed_quarantined), 0)::bigint
        from sweep left join landed_sweep using (sweep_id)
    )
select
    name as "check",
    case when is_money then money(total.expected) else total.expected::varchar end as "expected",
    case when is_money then money(total.actual) else total.actual::varchar end as "actual",
    case
        when is_money then money(total.actual - total.expected)
        else (total.actual - total.expected)::varchar
    end as "difference",
    case when total.expected = total.actual then 'true' else 'false' end as "pass"
from total
order by ordinal
