-- model    settling_event
-- grain    one row per event that may turn the settled flag: the creation of a settlement, or its becoming COMPLETE
-- reads    event_candidate, flag_observation, known_settlement
-- rule     R-05: which of the two it is, as far as what was seen tells
-- silent   nothing: an event that contradicts more than the other, or proves nothing, is listed as not learned
with
    told as (
        select
            event,
            settlement_id,
            count(*) as item_count,
            sum(signed_cents)::bigint as signed_cents
        from event_candidate
        where settlements = 1
        group by event, settlement_id
    ),
    -- Where an event decides, the nets of whole settlements come out.
    proven as (
        select
            told.event,
            told.settlement_id
        from
            told
            inner join known_settlement using (settlement_id)
        group by told.event, told.settlement_id, known_settlement.reported_cents
        having
            sum(told.signed_cents) = known_settlement.reported_cents
            and sum(told.item_count) > 1
    ),
    -- A transaction that may be in several settlements is listed with each.
    met as (
        select
            event,
            settlements,
            count(*) // settlements as met_once
        from event_candidate
        group by event, settlements
    ),
    -- Where an event turns the flag, no transaction is settled without one.
    weighed as (
        select
            events.event,
            (select count(*) from proven where proven.event = events.event) as proven_ones,
            (select count(*) from flag_observation) - (
                select coalesce(sum(met_once), 0)::bigint
                from met
                where met.event = events.event
            ) as contradictions
        from (values ('created'), ('completed')) as events (event)
    )
select
    event,
    contradictions,
    proven_ones,
    (select count(*) from flag_observation) as seen_turning,
    proven_ones > 0
    and row_number() over (order by contradictions, proven_ones desc, event desc) = 1 as is_learned
from weighed
