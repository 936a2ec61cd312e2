-- model    history_coverage
-- grain    one row: how far back certified sweeps reach into the list of transactions
-- reads    lake.ops.imported_file, lake.ops.sweep, lake.seen.transaction_version
-- rule     R-18: a refund is judged for certain only where its whole history is covered
-- silent   sweeps of certificate BEST_EFFORT, which prove nothing; files of which nobody said that they are complete
with
    -- A list that is read terminal by terminal is covered once each of them is.
    swept as (
        select
            terminal_id,
            bool_or(certificate in ('SNAPSHOT', 'CONTIGUOUS') and covers_from is null) as is_whole
        from lake.ops.sweep
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and list = 'transactions'
        group by terminal_id
    ),
    certified as (
        select
            coalesce(
                bool_or(is_whole) filter(where terminal_id is null)
                or bool_and(is_whole) filter(where terminal_id is not null),
                false
            ) as covered
        from swept
    ),
    -- Where one file ends before the next begins, only what lies after the gap is history.
    said as (
        select
            complete_from,
            max(exported_at) over (
                order by complete_from rows between unbounded preceding and 1 preceding
            ) as reached_at
        from lake.ops.imported_file
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and list = 'transactions'
            and complete_from is not null
    )
select
    covered,
    case
        when covered then (
            select min(created)
            from lake.seen.transaction_version
            where
                account = getvariable('account')
                and landing_seq <= getvariable('known_at')
        )
        else (select max(complete_from) from said where coalesce(reached_at < complete_from, true))
    end as history_from
from certified
