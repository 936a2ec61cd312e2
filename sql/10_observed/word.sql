-- model    word
-- grain    one row per word that models know or transactions carry as their action, status or vault's type
-- reads    lake.seen.transaction_version
-- rule     R-01: the words become a type, as numbers are read and written faster than texts
-- silent   words of other fields
select unnest(['CHARGE', 'REFUND', 'VERIFY', 'CAPTURE', 'HOLD', 'VOID', 'CARD', 'ACH']) as word
union
select unnest([action, status, vault_type])
from lake.seen.transaction_version
where
    account = getvariable('account')
    and landing_seq <= getvariable('known_at')
    and (
        action not in ('CHARGE', 'REFUND', 'VERIFY')
        or status not in ('CAPTURE', 'HOLD', 'VOID')
        or vault_type not in ('CARD', 'ACH')
    )
