-- model    possible_member
-- grain    one row per event that may turn the settled flag, transaction that was seen turning, and settlement with that event in the span
-- reads    flip, known_settlement, settlement_version, sweep_scope
-- rule     R-05: the flag turned between two observations, and so did what turns it
-- silent   settlements that were created before the transaction
with
    first_complete as (
        select
            settlement_id,
            min_by(observed_at, version) as complete_at,
            min_by(version, version) as version
        from settlement_version
        where status = 'COMPLETE'
        group by settlement_id
    ),
    pending_until as materialized (
        select
            settlement_version.settlement_id,
            greatest(
                max(settlement_version.observed_at),
                max(sweep.started_at) filter(where sweep.started_at < first_complete.complete_at)
            ) as pending_at
        from
            settlement_version
            inner join first_complete on first_complete.settlement_id = settlement_version.settlement_id
            and settlement_version.version < first_complete.version
            left join sweep_scope as sweep on sweep.list = 'settlements'
            and sweep.certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and sweep.started_at > settlement_version.observed_at
            and coalesce(sweep.terminal_id = settlement_version.terminal_id, true)
        group by settlement_version.settlement_id
    ),
    made as (
        select
            'created' as event,
            settlement_id,
            terminal_id,
            created,
            reported_cents,
            created - interval 1 microsecond as begins_at,
            created as ends_at
        from known_settlement
        union all
        select
            'completed',
            known_settlement.settlement_id,
            known_settlement.terminal_id,
            known_settlement.created,
            known_settlement.reported_cents,
            coalesce(pending_until.pending_at, known_settlement.created),
            first_complete.complete_at
        from
            known_settlement
            inner join first_complete using (settlement_id)
            left join pending_until using (settlement_id)
    ),
    -- A transaction was seen turning within eight days: in spans of some three days it meets what may have turned it, however long the history.
    spread as (
        select
            *,
            unnest(
                range(epoch_us(begins_at) >> 38, (epoch_us(ends_at + interval 8 days) >> 38) + 1)
            ) as span
        from made
    )
select
    made.event,
    flip.transaction_id,
    flip.signed_cents,
    made.settlement_id,
    made.terminal_id,
    made.reported_cents,
    count(*) over (partition by made.event, flip.transaction_id) as settlements
from
    flip
    inner join spread as made on made.terminal_id = flip.terminal_id
    and made.span = epoch_us(flip.settled_at) >> 38
    and made.begins_at < flip.settled_at
    and (
        made.ends_at > flip.unsettled_at
        -- Nobody saw it unsettled: what is made at its own instant may hold it.
        or (made.ends_at = flip.unsettled_at and flip.unsettled_at = flip.created)
    )
    and made.created >= flip.created
