-- model    settled_member
-- grain    one row per settled transaction that has a settlement
-- reads    boundary, shift, observed_member, manual_member, clocked_transaction, current_transaction, current_settlement
-- rule     R-05: every settled transaction is in at most one settlement: by a person's decision (R-39), by its id, by what was observed, by a shift, else by the boundaries
-- silent   settled transactions after the terminal's last boundary, and those that a person puts into none: orphans
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
    coalesce(shift.to_settlement_id, by_boundary.settlement_id) as settlement_id,
    boundary.terminal_id,
    case
        when boundary.is_plain_window and shift.transaction_id is null then 'WINDOW'
        else 'ALIGNED'
    end as method
from
    by_boundary
    inner join boundary using (settlement_id)
    left join shift on shift.transaction_id = by_boundary.transaction_id
union all
select
    transaction_id,
    settlement_id,
    terminal_id,
    'OBSERVED'
from observed_member
union all
select
    current_transaction.transaction_id,
    current_settlement.settlement_id,
    current_settlement.terminal_id,
    'EXPLICIT_ID'
from
    current_transaction
    inner join current_settlement on current_settlement.settlement_id = current_transaction.explicit_settlement_id
where
    current_transaction.settled
    and current_transaction.transaction_id not in (select transaction_id from manual_member)
union all
select
    transaction_id,
    settlement_id,
    terminal_id,
    'MANUAL'
from manual_member
where settlement_id is not null
