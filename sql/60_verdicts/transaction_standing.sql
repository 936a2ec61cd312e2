-- model    transaction_standing
-- grain    one row per transaction that is in no COMPLETE settlement: where its money stands at as_of
-- reads    complete_settlement, current_transaction, enum_value, pending_member, settled_member, tieout, transaction_history
-- rule     R-27: every transaction that counts is in a settlement, open, voided or an orphan, and in one of these only
-- silent   charges and refunds in a COMPLETE settlement, which are most; columns of a transaction that few readers need
-- size     transactions, wide
with
    settlement_at_as_of as (
        select settlement_id, verdict
        from tieout
        where created <= getvariable('as_of')
    ),
    transaction_at_as_of as (
        -- A settled transaction belongs to its settlement whatever its status.
        select
            transaction_id, terminal_id, created, business_date, action,
            null::enum_value as status,
            null as approved, true as settled, signed_cents,
            null::timestamp as voided_at,
            settled_member.settlement_id
        from
            settled_member
            left join complete_settlement on complete_settlement.settlement_id = settled_member.settlement_id
        where
            complete_settlement.settlement_id is null
            or coalesce(action not in ('CHARGE'::enum_value, 'REFUND'::enum_value), true)
        union all
        select
            transaction_id, current_transaction.terminal_id, current_transaction.created,
            business_date, current_transaction.action, status, approved, false,
            current_transaction.signed_cents, voided_at, pending_member.settlement_id
        from
            current_transaction
            left join pending_member using (transaction_id)
            left join transaction_history using (transaction_id)
        where not settled
    )
select
    transaction_id, terminal_id, business_date, action, settled, signed_cents,
    case when voided_at is not null then business_date(voided_at) end as voided_date,
    case
        when coalesce(action not in ('CHARGE'::enum_value, 'REFUND'::enum_value), true) then standing_value ('NONE')
        when settlement_at_as_of.verdict = 'NO_DATA' and settled then standing_value ('ORPHAN')
        when settlement_at_as_of.verdict = 'NO_DATA' then standing_value ('OPEN')
        when settlement_at_as_of.settlement_id is not null then standing_value ('PENDING')
        when created > getvariable('as_of') then standing_value ('NONE')
        -- Its settlement was created after as_of.
        when transaction_at_as_of.settlement_id is not null then standing_value ('OPEN')
        when settled then standing_value ('ORPHAN')
        when approved
        and transaction_at_as_of.status = 'CAPTURE'::enum_value then standing_value ('OPEN')
        when voided_at <= getvariable('as_of') then standing_value ('VOIDED')
        -- A transaction that became void after as_of was open at as_of.
        when voided_at is not null then standing_value ('OPEN')
        else standing_value ('NONE')
    end as standing
from
    transaction_at_as_of
    left join settlement_at_as_of on settlement_at_as_of.settlement_id = transaction_at_as_of.settlement_id
