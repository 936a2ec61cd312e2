-- finding  STATUS_REGRESSION, error
-- grain    one row per settlement that was PENDING again after it was COMPLETE
-- reads    settlement_version
-- rule     R-42: seen COMPLETE, then PENDING, whatever it was in between; the event stays
-- silent   what its net did meanwhile (see COMPLETE_CHANGED); words that are neither (R-60)
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
    arg_max(net_cents, settlement_version.version) as amount_cents,
    null::varchar as certainty,
    'COMPLETE, then ' || string_agg(
        status || ' seen ' || instant(observed_at),
        ', '
        order by settlement_version.version
    ) as detail,
    arg_max(created, settlement_version.version) as subject_created
from
    settlement_version
    inner join completed on completed.settlement_id = settlement_version.settlement_id
    and completed.version < settlement_version.version
where
    status = 'PENDING'
    and previous_status <> 'PENDING'
group by settlement_version.settlement_id
