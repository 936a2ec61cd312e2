-- finding  COMPLETE_CHANGED, error
-- grain    one row per settlement whose reported net changed after it was COMPLETE
-- reads    settlement_version
-- rule     R-41: it was COMPLETE before, whatever it was in between; the event stays
-- silent   changes before it was COMPLETE (see PENDING_DRIFT)
with
    completed as (
        select
            settlement_id,
            min(version) as version
        from settlement_version
        where status = 'COMPLETE'
        group by settlement_id
    )
select
    'settlement' as subject_type,
    settlement_version.settlement_id::varchar as subject_id,
    arg_max(terminal_id, settlement_version.version) as terminal_id,
    sum(net_cents - previous_net_cents)::bigint as amount_cents,
    null::varchar as certainty,
    'changed after COMPLETE: ' || string_agg(
        money(previous_net_cents) || ' to ' || money(net_cents) || ' seen ' || instant(observed_at),
        ', '
        order by settlement_version.version
    ) as detail,
    arg_max(created, settlement_version.version) as subject_created
from
    settlement_version
    inner join completed on completed.settlement_id = settlement_version.settlement_id
    and completed.version < settlement_version.version
where net_cents <> previous_net_cents
group by settlement_version.settlement_id
