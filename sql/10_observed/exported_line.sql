-- model    exported_line
-- grain    one row per line of an entry of an approved pack
-- reads    ops_exported_line
-- rule     R-36: exported lines never change
-- silent   approvals after audit_seq, and packs with a later known_at or as_of
select
    entry_id, origin_id, entry_date, account_key, ledger_account, account_name, amount_cents, memo,
    settlement_id, terminal_id, source
from ops_exported_line
where
    account = getvariable('account')
    and audit_seq <= getvariable('audit_seq')
    and known_at <= getvariable('known_at')
    and as_of <= getvariable('as_of')
