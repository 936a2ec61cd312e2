-- model    exception_decision
-- grain    one row per exception about which a person decided: the newest decision
-- reads    ops_audit
-- rule     R-38: an exception is assigned, waived until a day, or resolved by a person, for a reason
-- silent   decisions after audit_seq
select
    subject as exception_id, seq, action, actor,
    decided_reason (action, detail, reason) as reason,
    json_extract_string(detail, '$.amountCents')::bigint as amount_cents,
    json_extract_string(detail, '$.eventSeq')::bigint as event_seq,
    json_extract_string(detail, '$.to') as assignee,
    json_extract_string(detail, '$.until')::date as until_date,
    json_extract_string(detail, '$.clearTo') as clear_to,
    json_extract_string(detail, '$.clearDate')::date as clear_date
from ops_audit
where
    account = getvariable('account')
    and seq <= getvariable('audit_seq')
    and action in ('exception.assign', 'exception.reopen', 'exception.resolve', 'exception.waive')
qualify row_number() over (partition by subject order by seq desc) = 1
