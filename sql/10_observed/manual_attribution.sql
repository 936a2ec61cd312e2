-- model    manual_attribution
-- grain    one row per transaction about whose settlement a person decided
-- reads    ops_audit
-- rule     R-39: a person's decision goes before all other evidence
-- silent   decisions after audit_seq, and decisions that were taken back
select
    subject::bigint as transaction_id,
    nullif(json_extract_string(detail, '$.settlement'), 'none')::bigint as settlement_id,
    seq, actor, reason
from ops_audit
where
    account = getvariable('account')
    and seq <= getvariable('audit_seq')
    and action in ('transaction.attribute', 'transaction.release')
qualify
    row_number() over (partition by subject order by seq desc) = 1
    and action = 'transaction.attribute'
