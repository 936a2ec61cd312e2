-- model    settled_member
-- grain    one row per settled transaction, with the settlement that it is in, if it is in one
-- reads    chosen_clock, current_transaction, earliest_settled_time, enum_value, known_settlement, manual_member, observed_member, settlement_interval, shift
-- rule     R-05: a settled transaction is in at most one settlement: by decision (R-39), id, observation, shift, else boundaries. R-11: a PENDING one lists only approved captures
-- silent   nothing. Listed without a settlement: transactions after the last boundary, of a settlement that can't be read, or put into none by a person
-- size     transactions
with
    settled_transaction as (
        select
            current_transaction.*,
            clock_time (chosen_clock.clock, created, last_modified, after_at) as clock_at
        from
            current_transaction
            left join chosen_clock using (terminal_id)
            left join earliest_settled_time using (transaction_id)
        where settled
    ),
    member as (
        select
            settled_transaction.*,
            case
                when manual_member.transaction_id is not null then manual_member.settlement_id
                when named.settlement_id is not null then named.settlement_id
                when observed_member.settlement_id is not null then observed_member.settlement_id
                when shift.to_settlement_id is not null then shift.to_settlement_id
                else settlement_interval.settlement_id
            end as found_id,
            case
                when manual_member.transaction_id is not null then method_value ('MANUAL')
                when named.settlement_id is not null then method_value ('EXPLICIT_ID')
                when observed_member.settlement_id is not null then method_value ('OBSERVED')
                when settlement_interval.is_plain_window
                and shift.to_settlement_id is null then method_value ('WINDOW')
                else method_value ('ALIGNED')
            end as found_by
        from
            settled_transaction
            left join manual_member on manual_member.transaction_id = settled_transaction.transaction_id
            left join known_settlement as named on named.settlement_id = settled_transaction.explicit_settlement_id
            left join observed_member on observed_member.transaction_id = settled_transaction.transaction_id
            left join shift on shift.transaction_id = settled_transaction.transaction_id
            left join settlement_interval on settlement_interval.terminal_id = settled_transaction.terminal_id
            and settlement_interval.span = span_of (settled_transaction.clock_at)
            and settlement_interval.from_at <= settled_transaction.clock_at
            and settlement_interval.until_at >= settled_transaction.clock_at
            and settlement_interval.after_id < settled_transaction.transaction_id
            and settlement_interval.until_id >= settled_transaction.transaction_id
    )
select
    member.transaction_id, member.terminal_id, member.created, member.business_date, member.action,
    member.status, member.signed_cents,
    case
        when member.found_id in (
            select settlement_id
            from known_settlement
            where status = 'UNREADABLE'
        ) then null
        when member.approved and member.status = 'CAPTURE'::enum_value then member.found_id
        when holder.status = 'COMPLETE' then member.found_id
    end as settlement_id, found_by as method
from
    member
    -- The join skips nulls. So only those few transactions look up their settlement for which its status matters.
    left join known_settlement as holder on holder.settlement_id = case
        when member.approved and member.status = 'CAPTURE'::enum_value then null
        else member.found_id
    end
