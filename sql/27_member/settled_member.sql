-- model    settled_member
-- grain    one row per settled transaction that has a settlement
-- reads    boundary, clocked_transaction, current_transaction, current_settlement
-- rule     R-05: every settled transaction is in at most one settlement: by its id where it has one, else by the boundaries
-- silent   settled transactions after the terminal's last boundary: orphans
with
    ends as (
        select
            terminal_id,
            clock,
            position,
            min_by(settlement_id, ordinal) as settlement_id
        from boundary
        group by terminal_id, clock, position
    ),
    by_boundary as (
        select
            clocked_transaction.transaction_id,
            ends.settlement_id
        from
            clocked_transaction
            asof inner join ends on ends.terminal_id = clocked_transaction.terminal_id
            and ends.clock = clocked_transaction.clock
            and ends.position >= clocked_transaction.position
    )
select
    by_boundary.transaction_id,
    by_boundary.settlement_id,
    boundary.terminal_id,
    case
        when boundary.is_plain_window then 'WINDOW'
        else 'ALIGNED'
    end as method
from
    by_boundary
    inner join boundary using (settlement_id)
union all
select
    current_transaction.transaction_id,
    current_settlement.settlement_id,
    current_settlement.terminal_id,
    'EXPLICIT_ID'
from
    current_transaction
    inner join current_settlement on current_settlement.settlement_id = current_transaction.explicit_settlement_id
where current_transaction.settled
