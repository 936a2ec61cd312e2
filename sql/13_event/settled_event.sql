-- model    settled_event
-- grain    one row per event that may turn the settled flag: the creation of a settlement, or its becoming COMPLETE
-- reads    flip, possible_member
-- rule     R-05: which of the two it is, as far as what was seen tells
-- silent   nothing: an event that contradicts more than the other, or proves nothing, is listed as not learned
with
    -- Where an event decides, the nets of whole settlements come out.
    proven as (
        select
            event,
            settlement_id
        from possible_member
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
                        from possible_member
                        where
                            possible_member.event = events.event
                            and possible_member.transaction_id = flip.transaction_id
                    )
            ) as contradictions
        from (values ('created'), ('completed')) as events (event)
    )
select
    event,
    contradictions,
    proven_ones,
    (select count(*) from flip) as seen_turning,
    proven_ones > 0
    and row_number() over (order by contradictions, proven_ones desc, event desc) = 1 as is_learned
from weighed
