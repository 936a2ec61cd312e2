-- model    surcharged_transaction
-- grain    one row per charge whose surcharge was taken, with the settings of its terminal in force then
-- reads    current_transaction, enum_value, first_landing, terminal_setting
-- rule     R-52: a settled charge, or an approved one that is not VOID; the settings as it first landed
-- silent   refunds, which give a surcharge back, and charges that took nothing; settings of a terminal that was never listed
select
    transaction_id, current_transaction.terminal_id, created, surcharge_cents,
    total_cents - surcharge_cents as charged_cents,
    surcharge_enabled,
    coalesce(current_transaction.surcharge_percentage, terminal_setting.surcharge_percentage) as percentage
from
    current_transaction
    left join first_landing using (transaction_id)
    left join terminal_setting on terminal_setting.terminal_id = current_transaction.terminal_id
    and coalesce(landing_seq, 0) between from_seq and to_seq
where
    surcharge_cents > 0
    and action = 'CHARGE'::enum_value
    and moves_money (settled, approved, status = 'VOID'::enum_value)
