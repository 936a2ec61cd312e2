-- model    open_settlement
-- grain    one row per settlement into which arithmetic may put a transaction, by what was seen
-- reads    possible_member, settled_event, clocked_transaction, known_settlement
-- rule     R-09: an observation takes its transaction out of the question, and no other
-- silent   settlements of which what was seen tells all: their rivals are none
with
    seen as not materialized (
        select
            transaction_id,
            settlement_id,
            settlements
        from
            possible_member
            inner join settled_event using (event)
        where is_learned
    ),
    -- What was first seen settled, or in no settlement's span, may be in any that was made until three days after it.
    unseen as (
        select
            terminal_id,
            max(clock_at) as last_at
        from
            clocked_transaction
            anti join seen using (transaction_id)
        group by terminal_id
    )
select settlement_id
from seen
where settlements > 1
union
select known_settlement.settlement_id
from
    known_settlement
    inner join unseen on unseen.terminal_id = known_settlement.terminal_id
    and known_settlement.created <= unseen.last_at + interval 3 days
