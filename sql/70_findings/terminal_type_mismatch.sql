-- finding  TERMINAL_TYPE_MISMATCH
-- grain    one row per card transaction on an ACH terminal, or ACH transaction on a CARD terminal
-- reads    current_terminal, current_transaction
-- rule     R-54: the terminal's type against the type of the vault, or against the ACH code if there is no vault type
-- silent   transactions without a vault type and without an ACH code
with
    typed_transaction as (
        select
            transaction_id, current_transaction.terminal_id, created, signed_cents,
            coalesce(
                vault_type,
                case when ach_type is not null then 'ACH' end
            ) as paid_by,
            current_terminal.type as terminal_type
        from current_transaction inner join current_terminal using (terminal_id)
    )
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, signed_cents as amount_cents,
    null::varchar as certainty,
    paid_by || ' transaction on a terminal of type ' || terminal_type as detail,
    created as subject_created
from typed_transaction
where paid_by in ('CARD', 'ACH') and terminal_type in ('CARD', 'ACH') and paid_by <> terminal_type
