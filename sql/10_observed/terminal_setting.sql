-- model    terminal_setting
-- grain    one row per terminal and change of the settings that its transactions are judged by: the landings between this change and the next
-- reads    seen_terminal_version
-- rule     R-52: the newest version that landed no later than the transaction, by landing numbers; the first version counts for earlier transactions, too
-- silent   versions that landed after known_at, and those that change nothing but other fields
with
    known_version as (
        select
            terminal_id, type, surcharge_enabled, surcharge_percentage, acceptance, landing_seq,
            ordinal,
            row(type, surcharge_enabled, surcharge_percentage, acceptance) as settings
        from seen_terminal_version
    ),
    changed_version as (
        select *, row_number() over by_landing = 1 as is_first
        from known_version
        window
            by_landing as (
                partition by terminal_id
                order by landing_seq, ordinal
            )
        qualify is_first or settings is distinct from lag(settings) over by_landing
    )
select
    terminal_id, type, surcharge_enabled, surcharge_percentage, acceptance,
    case when is_first then 0 else landing_seq end as from_seq,
    coalesce(
        lead(landing_seq) over (partition by terminal_id order by landing_seq, ordinal) - 1,
        getvariable('known_at')
    ) as to_seq
from changed_version
