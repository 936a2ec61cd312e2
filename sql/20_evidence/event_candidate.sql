-- model    event_candidate
-- grain    one row per event that may set the settled flag, transaction that was seen to become settled, and settlement with that event in between
-- reads    flag_observation, settlement_event
-- rule     R-05: the flag and the event that turns it changed between the same two landings. R-63: instants count for files, and for sweeps if they are a day apart
-- silent   settlements that were created before the transaction, by more than the two clocks may differ
-- size     transactions, wide
-- drop     after its last reader
with
    -- Observations of sweeps are compared by landings, and by instants with a tolerance of a day. Those of files are compared
    -- by instants alone. If no file shows a transaction unsettled, a settlement of the instant of its creation may hold it.
    observation as not materialized (
        select
            terminal_id, transaction_id, signed_cents, unsettled_at, settled_at,
            created - clock_skew () as earliest_created,
            case when is_imported then 9223372036854775807 else settled_seq end as before_seq,
            case when is_imported then -2 else unsettled_seq end as after_seq,
            case when is_imported then settled_at else settled_at + interval 1 day end as before_at,
            case
                when not is_imported then unsettled_at - interval 1 day
                when unsettled_at = created then unsettled_at - interval 1 microsecond
                else unsettled_at
            end as after_at,
            -- A join by spans of time compares each transaction with few settlements, however long the history is.
            -- Transactions that became settled within two days have spans of some 19 hours, with odd numbers. Those that took
            -- up to eight days have spans of some three days, with even numbers.
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
    -- The observation of a completion may span a year. Only the time in which transactions of the terminal became settled is
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
    -- A list holds the settlements of a transaction together, so that counting them needs no sort of all rows.
    candidate_list as (
        select
            span_event.event, observation.transaction_id, observation.signed_cents,
            list_filter(
                span_event.events,
                lambda one: one.begins_seq < observation.before_seq
                and one.ends_seq > observation.after_seq
                and one.begins_at < observation.before_at
                and one.ends_at > observation.after_at
                and one.created >= observation.earliest_created
            ) as candidates
        from
            observation
            inner join span_event on span_event.terminal_id = observation.terminal_id
            and span_event.span = 2 * (epoch_us(observation.settled_at) >> bits) + is_short::integer
    )
select event, transaction_id, signed_cents, one.settlement_id, settlements
from (select *, unnest(candidates) as one, len(candidates) as settlements from candidate_list)
