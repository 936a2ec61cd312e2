-- finding  UNKNOWN_TERMINAL
-- grain    one row per terminal that transactions name and the service does not list, or lists no longer
-- reads    current_quarantine, current_terminal, current_transaction, enum_value, sweep
-- rule     R-57: judged only after a sweep of the terminals ended; the amount is what counts or will count (R-01)
-- silent   terminals that are listed but can't be read (see QUARANTINED)
select
    'terminal' as subject_type,
    terminal_id::varchar as subject_id,
    terminal_id,
    coalesce(
        sum(signed_cents) filter(where settled or (approved and status = 'CAPTURE'::enum_value)),
        0
    )::bigint as amount_cents,
    'named by ' || count(*)::varchar || case
        when count(*) = 1 then ' transaction'
        else ' transactions'
    end as detail,
    min(created) as subject_created
from current_transaction
where
    terminal_id not in (select terminal_id from current_terminal where is_listed)
    and terminal_id::varchar not in (
        select subject_id
        from current_quarantine
        where subject_type = 'terminal'
    )
    and (select count(*) from sweep where list = 'terminals') > 0
group by terminal_id
