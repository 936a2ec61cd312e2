-- model    history_coverage
-- grain    one row: the time span for which certified sweeps, and files that a person declared complete, have read all transactions
-- reads    business_calendar, ops_imported_file, sweep_scope
-- rule     R-18: a refund is judged for certain only if its whole history is covered
-- silent   sweeps of certificate BEST_EFFORT, which prove nothing; files that no person declared complete
with
    reading as (
        select
            terminal_id,
            certificate in ('SNAPSHOT', 'CONTIGUOUS') as is_proof,
            coalesce(covers_from, '-infinity'::timestamp) as said_from,
            started_at as said_until, landing_seq
        from sweep_scope
        where list = 'transactions'
        union all
        select
            null,
            complete_from is not null,
            complete_from, exported_at,
            coalesce((select max(landing_seq) from sweep_scope where started_at <= exported_at), 0)
        from ops_imported_file
        where list = 'transactions'
    ),
    -- Each terminal whose list was read alone has a row. Null stands for all other terminals, while the whole list is read
    -- with proof.
    scope as (
        select distinct terminal_id
        from reading
        where terminal_id is not null
        union all
        select null
        from reading
        having
            coalesce(
                max(landing_seq) filter(
                    where terminal_id is null and is_proof
                ) >= max(landing_seq) filter(where terminal_id is not null),
                count(terminal_id) = 0
            )
    ),
    -- A sweep of the whole list reads every terminal.
    reading_of_scope as (
        from reading
        where terminal_id is not null
        union all
        select scope.terminal_id, is_proof, said_from, said_until, landing_seq
        from reading cross join scope
        where reading.terminal_id is null
    ),
    -- If a reading ends before the next begins, the history starts after that break.
    reading_order as (
        select
            terminal_id, said_from, said_until,
            max(said_until) over (
                partition by terminal_id
                order by said_from rows between unbounded preceding and 1 preceding
            ) as reached_at
        from reading_of_scope
        where is_proof
    ),
    unbroken_reading as (
        select
            terminal_id,
            max(said_from) filter(where coalesce(reached_at < said_from, true)) as history_from,
            max(said_until) as said_until
        from reading_order
        group by terminal_id
    ),
    -- The time after the last proof is unproven if the newest reading is no proof.
    newest_reading as (
        select terminal_id, not arg_max(is_proof, (landing_seq, said_until)) as is_unproven
        from reading_of_scope
        group by terminal_id
    ),
    -- The history covers the time that the readings of every terminal cover.
    coverage as (
        select
            case when count(*) = count(history_from) then max(history_from) end as history_from,
            case
                when count(*) = count(history_from) then min(
                    case when is_unproven then said_until else 'infinity'::timestamp end
                )
            end as history_until
        from
            newest_reading
            left join unbroken_reading on unbroken_reading.terminal_id is not distinct from newest_reading.terminal_id
    )
select
    coalesce(history_from = '-infinity'::timestamp, false) as covered,
    case
        when covered then (select first_created from business_calendar)
        else history_from
    end as history_from, history_until
from coverage
