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
    -- What was seen turning within two days meets few settlements in spans of some 19 hours; what took up to eight days, in spans of
    -- some three days, which are told by even numbers. So it is however long the history.
    seen as not materialized (
        select
            *,
            settled_at - unsettled_at <= interval 2 days as is_short,
            case
                when is_short then 36
                else 38
            end as bits
        from flip
    ),
    turned as (
        select
            terminal_id,
            is_short,
            bits,
            case
                when is_short then interval 2 days
                else interval 8 days
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
                    epoch_us(greatest(begins_at, first_at)) >> bits,
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
            flip.transaction_id,
            flip.signed_cents,
            flip.terminal_id,
            list_filter(
                near.made,
                lambda one: one.begins_at < flip.settled_at
                and (
                    one.ends_at > flip.unsettled_at
                    -- Nobody saw it unsettled: what is made at its own instant may hold it.
                    or (one.ends_at = flip.unsettled_at and flip.unsettled_at = flip.created)
                )
                and one.created >= flip.created
            ) as found
        from
            seen as flip
            inner join near on near.terminal_id = flip.terminal_id
            and near.span = 2 * (epoch_us(flip.settled_at) >> bits) + is_short::integer
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
