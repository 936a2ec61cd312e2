-- model    enum_value
-- grain    one row per value that models know, or that transactions carry as action, status or vault type
-- reads    seen_transaction_version
-- rule     R-01: the values become an enum type: DuckDB compares numbers faster than texts
-- silent   values of other fields
select unnest(['CHARGE', 'REFUND', 'VERIFY', 'CAPTURE', 'HOLD', 'VOID', 'CARD', 'ACH']) as value
union
select unnest([action, status, vault_type])
from seen_transaction_version
where
    action not in ('CHARGE', 'REFUND', 'VERIFY')
    or status not in ('CAPTURE', 'HOLD', 'VOID')
    or vault_type not in ('CARD', 'ACH')
