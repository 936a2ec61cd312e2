-- model    transaction_standing
-- grain    one row per transaction that does not stand in a COMPLETE settlement, with the place where its money stands at as_of
-- reads    complete_settlement, current_transaction, enum_value, pending_member, settled_member, tieout, transaction_history
-- rule     R-27: every transaction that counts is in a settlement, open, voided or an orphan, and in one of these only
-- silent   charges and refunds in a COMPLETE settlement, which are most; what else is known of a transaction, which few of them are asked for
-- size     transactions, wide
with
    at_as_of as (
        select settlement_id, verdict
        from tieout
        where created <= getvariable('as_of')
    ),
    known as (
        -- What is settled is placed whatever its status.
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
        when coalesce(action not in ('CHARGE'::enum_value, 'REFUND'::enum_value), true) then place_word ('NONE')
        when at_as_of.verdict = 'NO_DATA' and settled then place_word ('ORPHAN')
        when at_as_of.verdict = 'NO_DATA' then place_word ('OPEN')
        when at_as_of.settlement_id is not null then place_word ('PENDING')
        when created > getvariable('as_of') then place_word ('NONE')
        -- It is in a settlement, but in one made after as_of.
        when known.settlement_id is not null then place_word ('OPEN')
        when settled then place_word ('ORPHAN')
        when approved and known.status = 'CAPTURE'::enum_value then place_word ('OPEN')
        when voided_at <= getvariable('as_of') then place_word ('VOIDED')
        else place_word ('NONE')
    end as place
from known left join at_as_of on at_as_of.settlement_id = known.settlement_id
