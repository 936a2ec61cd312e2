-- finding  STATUS_REGRESSION
-- grain    one row per settlement that was PENDING again after it was COMPLETE
-- reads    settlement_version
-- rule     R-42: seen COMPLETE, then PENDING, whatever it was in between; the event stays
-- silent   changes of its net meanwhile (see COMPLETE_CHANGED); a status that is neither (R-60)
select
    'settlement' as subject_type,
    settlement_id::varchar as subject_id,
    arg_max(terminal_id, version) as terminal_id,
    arg_max(net_cents, version) as amount_cents,
    'COMPLETE, then ' || string_agg(
        status || ' seen ' || instant(observed_at),
        ', '
        order by version
    ) as detail,
    arg_max(created, version) as subject_created,
    max(landing_seq) as event_seq
from settlement_version
where was_complete and status = 'PENDING' and previous_status <> 'PENDING'
group by settlement_id
