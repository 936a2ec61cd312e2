-- finding  ACH_CODE_NOT_ACCEPTED
-- grain    one row per ACH transaction whose code its terminal does not accept
-- reads    current_transaction, first_landing, terminal_setting
-- rule     R-55: only where the terminal lists the codes that it accepts; R-52: the settings as the transaction first landed
-- silent   ACH on a CARD terminal, which is TERMINAL_TYPE_MISMATCH only
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    current_transaction.terminal_id, signed_cents as amount_cents,
    'code ' || ach_type || ', accepted are ' || acceptance as detail,
    created as subject_created
from
    current_transaction
    left join first_landing using (transaction_id)
    inner join terminal_setting on terminal_setting.terminal_id = current_transaction.terminal_id
    and coalesce(landing_seq, 0) between from_seq and to_seq
where
    ach_type is not null
    and acceptance <> ''
    and type is distinct from 'CARD'
    and not list_contains(string_split(replace(acceptance, ' ', ''), ','), ach_type)
