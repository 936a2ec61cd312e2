-- finding  ACH_CODE_NOT_ACCEPTED
-- grain    one row per ACH transaction whose code its terminal does not accept
-- reads    current_terminal, current_transaction
-- rule     R-55: only where the terminal lists the codes that it accepts
-- silent   ACH on a CARD terminal, which is TERMINAL_TYPE_MISMATCH only
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, signed_cents as amount_cents,
    null::varchar as certainty,
    'code ' || ach_type || ', accepted are ' || acceptance as detail,
    created as subject_created
from current_transaction inner join current_terminal using (terminal_id)
where
    ach_type is not null
    and acceptance <> ''
    and current_terminal.type is distinct from 'CARD'
    and not list_contains(string_split(replace(acceptance, ' ', ''), ','), ach_type)
