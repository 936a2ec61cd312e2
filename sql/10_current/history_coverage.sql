-- model    history_coverage
-- grain    one row: how far back certified sweeps, and files that somebody called complete, reach into the list of transactions
-- reads    business_calendar, lake.ops.imported_file, lake.ops.sweep
-- rule     R-18: a refund is judged for certain only where its whole history is covered
-- silent   sweeps of certificate BEST_EFFORT, which prove nothing; files of which nobody said that they are complete
with
    swept as (
        select
            terminal_id,
            certificate,
            covers_from,
            started_at
        from lake.ops.sweep
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and list = 'transactions'
    ),
    said as (
        select
            terminal_id,
            coalesce(covers_from, '-infinity'::timestamp) as said_from,
            started_at as said_until
        from swept
        where certificate in ('SNAPSHOT', 'CONTIGUOUS')
        union all
        select
            null,
            complete_from,
            exported_at
        from lake.ops.imported_file
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and list = 'transactions'
            and complete_from is not null
    ),
    -- Where one ends before the next begins, only what lies after the gap is history.
    reaching as (
        select
            terminal_id,
            said_from,
            max(said_until) over (
                partition by terminal_id
                order by said_from rows between unbounded preceding and 1 preceding
            ) as reached_at
        from said
    ),
    reached as (
        select
            terminal_id,
            max(said_from) as history_from
        from reaching
        where coalesce(reached_at < said_from, true)
        group by terminal_id
    ),
    -- A list that is read terminal by terminal reaches as far back as that of the terminal that is known least far.
    together as (
        select
            case
                when count(*) = count(history_from) then max(history_from)
            end as history_from
        from
            (select distinct terminal_id from swept where terminal_id is not null) as place
            left join reached using (terminal_id)
    ),
    known as (
        select
            least(
                together.history_from,
                (select history_from from reached where terminal_id is null)
            ) as history_from
        from together
    )
select
    coalesce(history_from = '-infinity'::timestamp, false) as covered,
    case
        when covered then (select first_created from business_calendar)
        else history_from
    end as history_from
from known
