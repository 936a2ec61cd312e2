-- model    exported_entry
-- grain    one row per entry of an approved pack, whatever that pack was made from
-- reads    ops_exported_line
-- rule     R-36: no entry is exported twice
-- silent   approvals after audit_seq
select distinct
    entry_id
from ops_exported_line
where account = getvariable('account') and audit_seq <= getvariable('audit_seq')
