-- finding  TERMINAL_TYPE_MISMATCH
-- grain    one row per card transaction on an ACH terminal, or ACH transaction on a CARD terminal
-- reads    current_transaction, first_landing, terminal_setting
-- rule     R-54: the type of the terminal at the first landing, against that of the vault, or else against the ACH code
-- silent   transactions without a vault type and without an ACH code
with
    typed_transaction as (
        select
            transaction_id, current_transaction.terminal_id, created, signed_cents,
            coalesce(
                vault_type,
                case when ach_type is not null then 'ACH' end
            ) as paid_by,
            terminal_setting.type as terminal_type
        from
            current_transaction
            left join first_landing using (transaction_id)
            inner join terminal_setting on terminal_setting.terminal_id = current_transaction.terminal_id
            and coalesce(landing_seq, 0) between from_seq and to_seq
    )
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, signed_cents as amount_cents,
    paid_by || ' transaction on a terminal of type ' || terminal_type as detail,
    created as subject_created
from typed_transaction
where paid_by in ('CARD', 'ACH') and terminal_type in ('CARD', 'ACH') and paid_by <> terminal_type
