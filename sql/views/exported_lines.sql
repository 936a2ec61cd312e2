-- view     exported_lines
-- of       records
-- grain    one row per line of an entry of an approved pack; it never changes
-- silent   lines of packs that are not approved (journal)
select
    account as "account", -- name: short name of the account
    audit_seq as "auditSeq", -- sequence: number of the approval in the audit trail
    known_at as "knownAt", -- sequence: landing number up to which the pack knew
    as_of as "asOf", -- instant: clock of the pack
    entry_id as "entryId", -- name: id of the entry
    origin_id as "originId", -- name: entry that it adjusts, or its own id
    entry_date as "date", -- date: posting date
    account_key as "accountKey", -- word: key of the account in the chart
    ledger_account as "ledgerAccount", -- text: number of the ledger account
    account_name as "ledgerAccountName", -- text: its name
    (amount_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amount", -- money: debit positive, credit negative
    memo as "memo", -- text: what the entry is about
    settlement_id as "settlementId", -- id: settlement that it posts, if one
    terminal_id as "terminalId", -- id: terminal that it posts
    source as "source" -- word: what it comes from
from lake.ops.exported_line
