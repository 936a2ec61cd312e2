-- model    shift
-- grain    one row per transaction that a shift moved into or out of the explained settlement or an adjacent one
-- reads    explained_evidence
-- rule     R-28: a cut-off shift moves transactions between settlements
-- silent   shifts that touch none of these settlements
select
    unnest(
        from_json(
            moves,
            '[{"transaction_id":"BIGINT","from_settlement_id":"BIGINT","to_settlement_id":"BIGINT"}]'
        ),
        recursive := true
    )
from explained_evidence
