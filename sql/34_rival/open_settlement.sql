-- model    open_settlement
-- grain    one row per settlement into which arithmetic may put a transaction, by what was seen
-- reads    possible_member, settled_event, current_transaction, flip, known_settlement
-- rule     R-09: an observation takes its transaction out of the question, and no other
-- silent   settlements of which what was seen tells all: their rivals are none
with
    -- What was settled when it was first read may be in any that was made until three days after the last of it.
    unseen as (
        select
            terminal_id,
            max(created) as last_at
        from
            current_transaction
            anti join flip using (transaction_id)
        where
            settled
            and explicit_settlement_id is null
        group by terminal_id
    )
select settlement_id
from
    possible_member
    inner join settled_event using (event)
where
    is_learned
    and settlements > 1
union
select known_settlement.settlement_id
from
    known_settlement
    inner join unseen on unseen.terminal_id = known_settlement.terminal_id
    and known_settlement.created <= unseen.last_at + interval 3 days
