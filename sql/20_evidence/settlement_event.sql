-- model    settlement_event
-- grain    one row per settlement and event that may turn the settled flag: created, and completed where it was seen COMPLETE
-- reads    known_settlement, settlement_version, sweep, sweep_scope
-- rule     R-05: an event lies between two landings, and between two instants
-- silent   nothing
with
    first_landing as (
        select settlement_id, min(landing_seq) as landing_seq
        from settlement_version
        group by settlement_id
    ),
    first_completion as (
        select
            settlement_id,
            min_by(observed_at, version) as complete_at,
            min_by(landing_seq, version) as landing_seq,
            min_by(version, version) as version
        from settlement_version
        where status = 'COMPLETE'
        group by settlement_id
    ),
    proof as (
        select distinct terminal_id, started_seq, started_at, landing_seq
        from sweep_scope
        where list = 'settlements' and certificate in ('SNAPSHOT', 'CONTIGUOUS')
    ),
    -- The last certified sweep before its first landing did not list the settlement. So the settlement was created after that
    -- sweep began.
    creation as (
        select
            known_settlement.*,
            -- A sweep that began more than a day after the creation missed the settlement, and proves nothing.
            case
                when greatest(of_all.started_at, of_one.started_at) <= known_settlement.created + interval 1 day then greatest(of_all.started_seq, of_one.started_seq)
                else -1
            end as begins_seq, first_landing.landing_seq as ends_seq
        from
            known_settlement
            left join first_landing using (settlement_id)
            asof left join (
                from proof
                where terminal_id is null
            ) as of_all on of_all.landing_seq < first_landing.landing_seq
            asof left join (
                from proof
                where terminal_id is not null
            ) as of_one on of_one.terminal_id = known_settlement.terminal_id
            and of_one.landing_seq < first_landing.landing_seq
    ),
    last_pending as materialized (
        select
            settlement_version.settlement_id,
            greatest(max(settlement_version.observed_at), max(proof.started_at)) as pending_at,
            greatest(max(sweep.started_seq), max(proof.started_seq)) as pending_seq
        from
            settlement_version
            inner join first_completion on first_completion.settlement_id = settlement_version.settlement_id
            and settlement_version.version < first_completion.version
            left join sweep using (sweep_id)
            left join proof on proof.started_seq >= settlement_version.landing_seq
            and proof.landing_seq < first_completion.landing_seq
            and coalesce(proof.terminal_id = settlement_version.terminal_id, true)
        group by settlement_version.settlement_id
    )
select
    'created' as event,
    settlement_id, terminal_id, created, begins_seq,
    coalesce(ends_seq, 9223372036854775807) as ends_seq,
    created - interval 1 microsecond as begins_at,
    created as ends_at
from creation
union all
select
    'completed',
    creation.settlement_id, creation.terminal_id, creation.created,
    coalesce(last_pending.pending_seq, begins_seq),
    first_completion.landing_seq,
    coalesce(last_pending.pending_at, creation.created),
    first_completion.complete_at
from
    creation
    inner join first_completion using (settlement_id)
    left join last_pending using (settlement_id)
