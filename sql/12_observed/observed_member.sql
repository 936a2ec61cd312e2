-- model    observed_member
-- grain    one row per transaction whose settlement follows from when it was seen to turn settled
-- reads    flip, known_settlement, settlement_version, sweep
-- rule     R-05: the settlement that was created, or became COMPLETE, in the span; the data tell which of the two turns the flag
-- silent   transactions for which several settlements come into question: arithmetic decides
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
    pending_until as (
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
            left join sweep on sweep.list = 'settlements'
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
    possible as (
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
            inner join made on made.terminal_id = flip.terminal_id
            and made.begins_at < flip.settled_at
            and made.ends_at > flip.unsettled_at
            and made.created >= flip.created
    ),
    -- Where an event decides, the nets of whole settlements come out.
    proven as (
        select
            event,
            settlement_id
        from possible
        where settlements = 1
        group by event, settlement_id, reported_cents
        having
            sum(signed_cents) = reported_cents
            and count(*) > 1
    ),
    -- Where an event turns the flag, no transaction is settled without one.
    weighed as (
        select
            events.event,
            (select count(*) from proven where proven.event = events.event) as proven_ones,
            (
                select count(*)
                from flip
                where
                    not exists (
                        from possible
                        where
                            possible.event = events.event
                            and possible.transaction_id = flip.transaction_id
                    )
            ) as contradictions
        from (values ('created'), ('completed')) as events (event)
    ),
    -- An event that contradicts what was seen, or proves nothing, decides nothing.
    learned as (
        select event
        from weighed
        qualify
            row_number() over (order by contradictions, proven_ones desc, event desc) = 1
            and proven_ones > 0
    )
select
    transaction_id,
    settlement_id,
    terminal_id,
    signed_cents
from
    possible
    inner join learned using (event)
where settlements = 1
