-- model    newest_transaction
-- grain    one row per transaction, as it was last seen
-- reads    seen_transaction_version
-- rule     R-02: the newest version counts
-- silent   other terminals, if one is swept alone
-- drop     after its last reader
select transaction_id, created, status, approved, settled, landing_seq
from seen_transaction_version
where getvariable('terminal_id') is null or terminal_id = getvariable('terminal_id')
qualify row_number() over (partition by transaction_id order by landing_seq desc, ordinal desc) = 1
