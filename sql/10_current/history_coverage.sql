-- model    history_coverage
-- grain    one row: how far back certified sweeps, and files that somebody called complete, reach into the list of transactions, and up to when
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
    read as (
        select
            terminal_id,
            certificate in ('SNAPSHOT', 'CONTIGUOUS') as is_proof,
            coalesce(covers_from, '-infinity'::timestamp) as said_from,
            started_at as said_until
        from swept
        union all
        select
            null,
            complete_from is not null,
            complete_from,
            exported_at
        from lake.ops.imported_file
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
            and list = 'transactions'
    ),
    -- Where one ends before the next begins, only what lies after the gap is history.
    reaching as (
        select
            terminal_id,
            said_from,
            said_until,
            max(said_until) over (
                partition by terminal_id
                order by said_from rows between unbounded preceding and 1 preceding
            ) as reached_at
        from read
        where is_proof
    ),
    reached as (
        select
            terminal_id,
            max(said_from) filter(where coalesce(reached_at < said_from, true)) as history_from,
            max(said_until) as said_until
        from reaching
        group by terminal_id
    ),
    -- Only what proves nothing, after all that proves something, leaves its time unproven.
    newest as (
        select
            terminal_id,
            not arg_max(is_proof, said_until) as is_unproven
        from read
        group by terminal_id
    ),
    reaching_until as (
        select
            reached.terminal_id,
            reached.history_from,
            case
                when coalesce(newest.is_unproven, false) then reached.said_until
                else 'infinity'::timestamp
            end as history_until
        from
            reached
            left join newest on newest.terminal_id is not distinct from reached.terminal_id
    ),
    -- A list that is read terminal by terminal reaches as far back as that of the terminal that is known least far.
    together as (
        select
            case
                when count(*) = count(history_from) then max(history_from)
            end as history_from,
            min(history_until) as history_until
        from
            (select distinct terminal_id from swept where terminal_id is not null) as place
            left join reaching_until using (terminal_id)
    ),
    known as (
        select
            least(
                together.history_from,
                (select history_from from reaching_until where terminal_id is null)
            ) as history_from,
            greatest(
                case
                    when together.history_from is not null then together.history_until
                end,
                (select history_until from reaching_until where terminal_id is null)
            ) as history_until
        from together
    )
select
    coalesce(history_from = '-infinity'::timestamp, false) as covered,
    case
        when covered then (select first_created from business_calendar)
        else history_from
    end as history_from,
    history_until
from known
