-- model    event_candidate
-- grain    one row per event that may set the settled flag, transaction that was seen to become settled, and settlement with that event in between
-- reads    flag_observation, settlement_event
-- rule     R-05: the flag and the event that turns it changed between the same two landings. R-63: instants count for files, and for sweeps if they are a day apart
-- silent   settlements that were created before the transaction, by more than the two clocks may differ
-- size     transactions, wide
-- drop     after its last reader
with
    -- A transaction is compared only with the settlements of a few spans of time, however long the history is. Transactions that
    -- became settled within two days have spans of some 19 hours. Those that took up to eight days have spans of some three days, which
    -- have even numbers.
    observation as not materialized (
        select
            *,
            -- Computed once for each transaction, and not for each of its settlements.
            created - clock_skew () as earliest_created,
            unsettled_at - interval 1 day as day_before,
            settled_at + interval 1 day as day_after,
            settled_at - unsettled_at <= interval 2 days as is_short,
            case when is_short then 36 else 38 end as bits
        from flag_observation
    ),
    turn_range as (
        select
            terminal_id, is_short, bits,
            case when is_short then interval 3 days else interval 9 days end as longest_turn,
            min(settled_at) as first_at,
            max(settled_at) as last_at
        from observation
        group by terminal_id, is_short, bits
    ),
    -- The time at which a settlement became COMPLETE may be known to the year only. Only the time in which transactions became settled is
    -- searched.
    event_span as (
        select
            settlement_event.*,
            2 * unnest(
                range(
                    epoch_us(greatest(begins_at - interval 1 day, first_at)) >> bits,
                    (epoch_us(least(ends_at + longest_turn, last_at)) >> bits) + 1
                )
            ) + is_short::integer as span
        from settlement_event inner join turn_range using (terminal_id)
    ),
    span_event as (
        select
            terminal_id, event, span,
            list(
                struct_pack(
                    settlement_id := settlement_id,
                    created := created,
                    begins_seq := begins_seq,
                    ends_seq := ends_seq,
                    begins_at := begins_at,
                    ends_at := ends_at
                )
            ) as events
        from event_span
        group by terminal_id, event, span
    ),
    -- Filtered as a list, the settlements of a transaction stay together, and are counted without putting all rows in order.
    candidate_list as (
        select
            span_event.event, observation.transaction_id, observation.signed_cents,
            observation.terminal_id,
            case
                when observation.is_imported then list_filter(
                    span_event.events,
                    lambda one: one.begins_at < observation.settled_at
                    and (
                        one.ends_at > observation.unsettled_at
                        -- No sweep saw it unsettled, so that a settlement of its own instant may hold it.
                        or (
                            one.ends_at = observation.unsettled_at
                            and observation.unsettled_at = observation.created
                        )
                    )
                    and one.created >= observation.earliest_created
                )
                else list_filter(
                    span_event.events,
                    lambda one: one.begins_seq < observation.settled_seq
                    and one.ends_seq > observation.unsettled_seq
                    and one.begins_at < observation.day_after
                    and one.ends_at > observation.day_before
                    and one.created >= observation.earliest_created
                )
            end as candidates
        from
            observation
            inner join span_event on span_event.terminal_id = observation.terminal_id
            and span_event.span = 2 * (epoch_us(observation.settled_at) >> bits) + is_short::integer
    )
select event, transaction_id, signed_cents, one.settlement_id, terminal_id, settlements
from (select *, unnest(candidates) as one, len(candidates) as settlements from candidate_list)
