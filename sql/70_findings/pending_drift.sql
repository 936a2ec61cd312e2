-- finding  PENDING_DRIFT
-- grain    one row per settlement whose reported net changed while it was PENDING, or as it completed
-- reads    settlement_version
-- rule     R-13: the earlier of two observed versions was PENDING; the event stays when the amount goes back
-- silent   changes of a COMPLETE one (see COMPLETE_CHANGED)
select
    'settlement' as subject_type,
    settlement_id::varchar as subject_id,
    arg_max(terminal_id, version) as terminal_id,
    sum(net_cents - previous_net_cents)::bigint as amount_cents,
    'changed while PENDING: ' || string_agg(
        money(previous_net_cents) || ' to ' || money(net_cents) || ' seen ' || instant(observed_at),
        ', '
        order by version
    ) as detail,
    arg_max(created, version) as subject_created,
    max(landing_seq) as event_seq
from settlement_version
where previous_status <> 'COMPLETE' and net_cents <> previous_net_cents
group by settlement_id
