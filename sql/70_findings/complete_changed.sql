-- finding  COMPLETE_CHANGED
-- grain    one row per settlement whose reported net changed after it was COMPLETE
-- reads    settlement_version
-- rule     R-41: it was COMPLETE before, whatever it was in between; the event stays
-- silent   changes before it was COMPLETE (see PENDING_DRIFT)
select
    'settlement' as subject_type,
    settlement_id::varchar as subject_id,
    arg_max(terminal_id, version) as terminal_id,
    sum(net_cents - previous_net_cents)::bigint as amount_cents,
    'changed after COMPLETE: ' || string_agg(
        money(previous_net_cents) || ' to ' || money(net_cents) || ' seen ' || instant(observed_at),
        ', '
        order by version
    ) as detail,
    arg_max(created, version) as subject_created,
    max(landing_seq) as event_seq
from settlement_version
where was_complete and net_cents <> previous_net_cents
group by settlement_id
