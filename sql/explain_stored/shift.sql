-- model    shift
-- grain    one row per transaction that a shift moved between the explained settlement, or one beside it, and another
-- reads    explained_evidence
-- rule     R-28: a cut-off shift moves transactions between settlements
-- silent   shifts elsewhere
select
    unnest(
        from_json(
            moves,
            '[{"transaction_id":"BIGINT","from_settlement_id":"BIGINT","to_settlement_id":"BIGINT"}]'
        ),
        recursive := true
    )
from explained_evidence
