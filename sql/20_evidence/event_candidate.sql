-- model    event_candidate
-- grain    one row per event that may turn the settled flag, transaction that was seen turning, and settlement with that event in the span
-- reads    flag_observation, known_settlement, settlement_version, sweep, sweep_scope
-- rule     R-05: the flag turned between two landings, and so did what turns it; R-63: instants count for files, and elsewhere where they are a day apart
-- silent   settlements that were created before the transaction, by more than two clocks may differ
-- size     transactions, wide
with
    first_seen as (
        select
            settlement_id,
            min(landing_seq) as landing_seq
        from settlement_version
        group by settlement_id
    ),
    first_complete as (
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
        select distinct
            terminal_id,
            started_seq,
            started_at,
            landing_seq
        from sweep_scope
        where
            list = 'settlements'
            and certificate in ('SNAPSHOT', 'CONTIGUOUS')
    ),
    -- The last certified sweep before did not list the settlement: it came into being after that sweep began.
    appeared as (
        select
            known_settlement.*,
            -- A sweep that began a day after it was created has missed it, and proves nothing.
            case
                when greatest(of_all.started_at, of_one.started_at) <= known_settlement.created + interval 1 day then greatest(of_all.started_seq, of_one.started_seq)
                else -1
            end as begins_seq,
            first_seen.landing_seq as ends_seq
        from
            known_settlement
            left join first_seen using (settlement_id)
            asof left join (
                from proof
                where terminal_id is null
            ) as of_all on of_all.landing_seq < first_seen.landing_seq
            asof left join (
                from proof
                where terminal_id is not null
            ) as of_one on of_one.terminal_id = known_settlement.terminal_id
            and of_one.landing_seq < first_seen.landing_seq
    ),
    pending_until as materialized (
        select
            settlement_version.settlement_id,
            greatest(max(settlement_version.observed_at), max(proof.started_at)) as pending_at,
            greatest(max(sweep.started_seq), max(proof.started_seq)) as pending_seq
        from
            settlement_version
            inner join first_complete on first_complete.settlement_id = settlement_version.settlement_id
            and settlement_version.version < first_complete.version
            left join sweep using (sweep_id)
            left join proof on proof.started_seq >= settlement_version.landing_seq
            and proof.landing_seq < first_complete.landing_seq
            and coalesce(proof.terminal_id = settlement_version.terminal_id, true)
        group by settlement_version.settlement_id
    ),
    made as (
        select
            'created' as event,
            settlement_id,
            terminal_id,
            created,
            reported_cents,
            begins_seq,
            coalesce(ends_seq, 9223372036854775807) as ends_seq,
            created - interval 1 microsecond as begins_at,
            created as ends_at
        from appeared
        union all
        select
            'completed',
            appeared.settlement_id,
            appeared.terminal_id,
            appeared.created,
            appeared.reported_cents,
            coalesce(pending_until.pending_seq, begins_seq),
            first_complete.landing_seq,
            coalesce(pending_until.pending_at, appeared.created),
            first_complete.complete_at
        from
            appeared
            inner join first_complete using (settlement_id)
            left join pending_until using (settlement_id)
    ),
    -- A transaction that turned within two days meets few settlements in spans of
    -- some 19 hours; one that took up to eight days, in spans of some three days, with even numbers. So it is however long the history.
    seen as not materialized (
        select
            *,
            -- Once for each transaction, and not for each settlement that it meets.
            created - clock_skew () as earliest_created,
            unsettled_at - interval 1 day as day_before,
            settled_at + interval 1 day as day_after,
            settled_at - unsettled_at <= interval 2 days as is_short,
            case
                when is_short then 36
                else 38
            end as bits
        from flag_observation
    ),
    turned as (
        select
            terminal_id,
            is_short,
            bits,
            case
                when is_short then interval 3 days
                else interval 9 days
            end as reach,
            min(settled_at) as first_at,
            max(settled_at) as last_at
        from seen
        group by terminal_id, is_short, bits
    ),
    -- When a settlement became COMPLETE may be known to a year; it is asked for where something turned.
    spread as (
        select
            made.*,
            2 * unnest(
                range(
                    epoch_us(greatest(begins_at - interval 1 day, first_at)) >> bits,
                    (epoch_us(least(ends_at + reach, last_at)) >> bits) + 1
                )
            ) + is_short::integer as span
        from
            made
            inner join turned using (terminal_id)
    ),
    near as (
        select
            terminal_id,
            event,
            span,
            list(
                struct_pack(
                    settlement_id := settlement_id,
                    reported_cents := reported_cents,
                    created := created,
                    begins_seq := begins_seq,
                    ends_seq := ends_seq,
                    begins_at := begins_at,
                    ends_at := ends_at
                )
            ) as made
        from spread
        group by terminal_id, event, span
    ),
    -- Filtered as a list, the settlements of a transaction stay together, and are counted without putting all rows in order.
    met as (
        select
            near.event,
            flag_observation.transaction_id,
            flag_observation.signed_cents,
            flag_observation.terminal_id,
            case
                when flag_observation.is_imported then list_filter(
                    near.made,
                    lambda one: one.begins_at < flag_observation.settled_at
                    and (
                        one.ends_at > flag_observation.unsettled_at
                        -- Nobody saw it unsettled: what is made at its own instant may hold it.
                        or (
                            one.ends_at = flag_observation.unsettled_at
                            and flag_observation.unsettled_at = flag_observation.created
                        )
                    )
                    and one.created >= flag_observation.earliest_created
                )
                else list_filter(
                    near.made,
                    lambda one: one.begins_seq < flag_observation.settled_seq
                    and one.ends_seq > flag_observation.unsettled_seq
                    and one.begins_at < flag_observation.day_after
                    and one.ends_at > flag_observation.day_before
                    and one.created >= flag_observation.earliest_created
                )
            end as found
        from
            seen as flag_observation
            inner join near on near.terminal_id = flag_observation.terminal_id
            and near.span = 2 * (epoch_us(flag_observation.settled_at) >> bits) + is_short::integer
    )
select
    event,
    transaction_id,
    signed_cents,
    one.settlement_id,
    terminal_id,
    one.reported_cents,
    settlements
from
    (
        select
            event,
            transaction_id,
            signed_cents,
            terminal_id,
            unnest(found) as one,
            len(found) as settlements
        from met
    )
