-- model    current_terminal
-- grain    one row per terminal that the service has listed: its newest observed version, and whether the service still lists it
-- reads    delisted_record, seen_terminal_version, sweep_scope
-- rule     R-57: a terminal is no longer listed if a CONTIGUOUS or SNAPSHOT sweep did not list it
-- silent   terminals that only transactions name
with
    -- A later sweep may prove the absence if the first sweep that missed the terminal could not.
    missing_terminal as (
        select delisted_record.subject_id as terminal_id
        from
            delisted_record
            inner join sweep_scope on sweep_scope.list = delisted_record.list
            and sweep_scope.certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and sweep_scope.landing_seq >= delisted_record.gone_seq
            and coalesce(sweep_scope.terminal_id = delisted_record.subject_id, true)
        where delisted_record.list = 'terminals'
    )
select
    terminal_id, nick_name,
    terminal_id not in (select terminal_id from missing_terminal) as is_listed
from seen_terminal_version
qualify row_number() over (partition by terminal_id order by landing_seq desc, ordinal desc) = 1
