-- model    settled_after
-- grain    one row per transaction that was seen to turn settled long after its time, with an instant that it isn't before
-- reads    flip, learned_member, known_settlement
-- rule     R-05: what was unsettled when a settlement was made is not in it, however early its time
-- silent   transactions of which the time says as much: those no older than the tolerance before that settlement
with
    first_possible as (
        select
            learned_member.transaction_id,
            min(known_settlement.ordinal) as ordinal
        from
            learned_member
            inner join known_settlement using (settlement_id)
        where settlements > 1
        group by learned_member.transaction_id
    )
select
    transaction_id,
    -- That settlement may hold what lies at its very instant.
    before.created + interval 1 microsecond as after_at
from
    first_possible
    inner join flip using (transaction_id)
    inner join known_settlement as before on before.terminal_id = flip.terminal_id
    and before.ordinal = first_possible.ordinal - 1
    inner join known_settlement as following on following.terminal_id = flip.terminal_id
    and following.ordinal = first_possible.ordinal
where
    flip.created < before.created
    -- Where the next one may be cut off before this one is made, only what is old beyond that.
    and (
        following.created - to_hours(getvariable('cutoff_tolerance_hours')) >= before.created
        or flip.created < before.created - to_hours(getvariable('cutoff_tolerance_hours'))
    )
