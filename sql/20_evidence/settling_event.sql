-- model    settling_event
-- grain    one row per event that may set the settled flag: the creation of a settlement, or its completion
-- reads    event_candidate, flag_observation, known_settlement
-- rule     R-05: observations show which of the two it is
-- silent   nothing; is_learned is false for the event that R-05 does not choose
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
    -- If an event turns the flag, the transactions that it places add up to the nets of whole settlements.
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
        select event, settlements, count(*) // settlements as transaction_count
        from event_candidate
        group by event, settlements
    ),
    -- If an event turns the flag, no transaction turns settled without such an event. Those that do contradict it.
    event_score as (
        select
            events.event,
            (
                select count(*)
                from proven_settlement
                where proven_settlement.event = events.event
            ) as proven_ones,
            (select count(*) from flag_observation) - (
                select coalesce(sum(transaction_count), 0)::bigint
                from candidate_count
                where candidate_count.event = events.event
            ) as contradictions
        from (values ('created'), ('completed')) as events (event)
    )
select
    event, contradictions, proven_ones,
    (select count(*) from flag_observation) as seen_turning,
    proven_ones > 0
    and row_number() over (order by contradictions, proven_ones desc, event desc) = 1 as is_learned
from event_score
