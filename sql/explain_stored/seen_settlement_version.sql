-- model    seen_settlement_version
-- grain    one row per version of a settlement that the explanation reads
-- reads    lake.seen.settlement_version, relevant_settlement
-- rule     R-02: all versions of a settlement
-- silent   nothing
from lake.seen.settlement_version
where
    account = getvariable('account')
    and landing_seq <= getvariable('known_at')
    and settlement_id in (select settlement_id from relevant_settlement)
