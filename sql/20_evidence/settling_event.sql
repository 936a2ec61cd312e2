-- model    settling_event
-- grain    one row per event that may set the settled flag: the creation of a settlement, or its completion
-- reads    event_candidate, flag_observation, known_settlement
-- rule     R-05: observations show which of the two it is, or leave both possible
-- silent   nothing; is_learned is false for an event that R-05 excludes
with
    certain_member as (
        select
            event, settlement_id,
            count(*) as item_count,
            sum(signed_cents)::bigint as signed_cents
        from event_candidate
        where settlements = 1
        group by event, settlement_id
    ),
    -- If an event sets the flag, the transactions that it places add up to the full nets of settlements.
    proven_settlement as (
        select certain_member.event, certain_member.settlement_id
        from certain_member inner join known_settlement using (settlement_id)
        group by certain_member.event, certain_member.settlement_id, known_settlement.reported_cents
        having
            sum(certain_member.signed_cents) = known_settlement.reported_cents
            and sum(certain_member.item_count) > 1
    ),
    -- A transaction that may be in several settlements is listed with each.
    candidate_count as (
        select
            event, settlements,
            count(*) // settlements as transaction_count,
            bit_xor(hash(transaction_id, settlement_id)) as candidate_hash
        from event_candidate
        group by event, settlements
    ),
    sum_by_event as (
        select
            event,
            sum(transaction_count)::bigint as transaction_count,
            bit_xor(candidate_hash) as candidate_hash
        from candidate_count
        group by event
    ),
    -- If an event sets the flag, every transaction became settled at such an event. Each transaction without one contradicts
    -- the event.
    event_score as (
        select
            events.event, candidate_hash,
            (
                select count(*)
                from proven_settlement
                where proven_settlement.event = events.event
            ) as proven_ones,
            (
                select count(*)
                from flag_observation
            ) - coalesce(transaction_count, 0) as contradictions
        from
            (values ('created'), ('completed')) as events (event)
            left join sum_by_event using (event)
    ),
    compared_score as (
        select
            *,
            first_value(contradictions) over best_first as least_contradictions,
            first_value(proven_ones) over best_first as most_proven,
            -- If both events give the same candidates, one of them is enough.
            lag(candidate_hash) over best_first is distinct from candidate_hash as differs
        from event_score
        window
            best_first as (
                order by contradictions, proven_ones desc, event desc
            )
    )
select
    event, contradictions, proven_ones,
    most_proven > 0
    and contradictions = least_contradictions
    -- A single settlement may get its full net by coincidence.
    and proven_ones >= most_proven - 1
    and differs as is_learned
from compared_score
