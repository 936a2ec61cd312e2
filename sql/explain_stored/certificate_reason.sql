-- model    certificate_reason
-- grain    one row per reason why the certificate of the explained settlement is AMBIGUOUS, and other settlement that the reason names
-- reads    explained_evidence
-- rule     R-09: the certificate that the run has stored
-- silent   other settlements
select
    settlement_id,
    unnest(
        from_json(
            reasons,
            '[{"reason":"VARCHAR","other_id":"BIGINT","transaction_ids":"VARCHAR"}]'
        ),
        recursive := true
    )
from explained_evidence
