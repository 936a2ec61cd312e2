-- model    first_landing
-- grain    one row per transaction whose terminal changed a setting that it is judged by: the number of its first landing
-- reads    current_transaction, seen_transaction_version, terminal_setting
-- rule     R-52: the first landing of any version of the transaction, also of one on another terminal
-- silent   all other transactions, which are most: the settings of their terminals were always the same
with
    changed_terminal as (
        select terminal_id, count(distinct row(type, acceptance)) > 1 as is_type_changed
        from terminal_setting
        group by terminal_id
        having count(*) > 1
    ),
    judged_transaction as (
        select transaction_id
        from current_transaction inner join changed_terminal using (terminal_id)
        where surcharge_cents > 0 or is_type_changed
    )
select transaction_id, min(landing_seq) as landing_seq
from seen_transaction_version semi join judged_transaction using (transaction_id)
group by transaction_id
