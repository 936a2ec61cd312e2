-- finding  SETTLEMENT_MOVED
-- grain    one row per settlement that was listed on another terminal than before
-- reads    settlement_version
-- rule     R-73: the newest move and the number of moves; the event stays when it moves back
-- silent   moves of transactions
select
    'settlement' as subject_type,
    settlement_id::varchar as subject_id,
    arg_max(terminal_id, version) as terminal_id,
    arg_max(net_cents, version) as amount_cents,
    arg_max(
        'terminal ' || previous_terminal_id::varchar || ' with ' || money(previous_net_cents) || ' to terminal ' || terminal_id::varchar || ' with ' || money(net_cents) || ' seen ' || instant(observed_at),
        version
    ) || case
        when count(*) > 1 then ', the last of ' || count(*)::varchar || ' moves'
        else ''
    end as detail,
    arg_max(created, version) as subject_created,
    max(landing_seq) as event_seq
from settlement_version
where terminal_id <> previous_terminal_id
group by settlement_id
