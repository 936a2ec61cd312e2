-- model    history_coverage
-- grain    one row: how far back certified sweeps reach into the list of transactions
-- reads    lake.ops.sweep, lake.seen.transaction_version
-- rule     R-18: a refund is judged for certain only where its whole history is covered
-- silent   sweeps of certificate BEST_EFFORT, which prove nothing
with
    certified as (
        select count(*) > 0 as covered
        from lake.ops.sweep
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and list = 'transactions'
            and certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and covers_from is null
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
    end as history_from
from certified
