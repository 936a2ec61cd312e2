-- model    exported_entry
-- grain    one row per entry of an approved pack, whatever that pack was made from, with the act of the approval
-- reads    ops_exported_line
-- rule     R-36: no entry is exported twice
-- silent   approvals after audit_seq
select
    entry_id,
    min(audit_seq) as audit_seq,
    any_value(entry_date) as entry_date,
    any_value(source) as source,
    any_value(settlement_id) as settlement_id
from ops_exported_line
where account = getvariable('account') and audit_seq <= getvariable('audit_seq')
group by entry_id
