-- model    settled_member
-- grain    one row per settled transaction that has a settlement
-- reads    boundary, shift, observed_member, manual_member, clocked_transaction, current_transaction, current_settlement
-- rule     R-05: every settled transaction is in at most one settlement: by a person's decision (R-39), by its id, by what was observed, by a shift, else by the boundaries
-- silent   settled transactions after the terminal's last boundary, and those that a person puts into none: orphans
with
    -- Of settlements that end at one position the first holds what is before it.
    ends as (
        select
            terminal_id,
            clock,
            position,
            arg_min(settlement_id, ordinal) as settlement_id,
            arg_min(is_plain_window, ordinal) as is_plain_window
        from boundary
        group by terminal_id, clock, position
    ),
    stretch as (
        select
            *,
            lag(position, 1, 0) over (
                partition by terminal_id, clock
                order by position
            ) as after_position
        from ends
    ),
    -- Blocks of 32 positions are the key of the join, so that transactions stream past a small table.
    piece as (
        select
            *,
            unnest(range((after_position + 1) >> 5, (position >> 5) + 1)) as block
        from stretch
        where position > after_position
    )
select
    clocked_transaction.transaction_id,
    coalesce(shift.to_settlement_id, piece.settlement_id) as settlement_id,
    piece.terminal_id,
    case
        when piece.is_plain_window and shift.transaction_id is null then method_word ('WINDOW')
        else method_word ('ALIGNED')
    end as method
from
    clocked_transaction
    inner join piece on piece.terminal_id = clocked_transaction.terminal_id
    and piece.clock = clocked_transaction.clock
    and piece.block = clocked_transaction.position >> 5
    and clocked_transaction.position > piece.after_position
    and clocked_transaction.position <= piece.position
    left join shift on shift.transaction_id = clocked_transaction.transaction_id
union all
select
    transaction_id,
    settlement_id,
    terminal_id,
    method_word ('OBSERVED')
from observed_member
union all
select
    current_transaction.transaction_id,
    current_settlement.settlement_id,
    current_settlement.terminal_id,
    method_word ('EXPLICIT_ID')
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
    method_word ('MANUAL')
from manual_member
where settlement_id is not null
