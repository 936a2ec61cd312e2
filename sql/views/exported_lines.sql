-- view     exported_lines
-- of       records
-- grain    one row per line of an entry of an approved pack; it never changes
-- silent   lines of packs that are not approved (journal)
-- column   account, name: short name of the account
-- column   auditSeq, sequence: number of the approval in the audit trail
-- column   knownAt, sequence: landing number up to which the pack knew
-- column   asOf, instant: clock of the pack
-- column   entryId, name: id of the entry
-- column   originId, name: entry that it adjusts, or its own id
-- column   date, date: posting date
-- column   accountKey, word: key of the account in the chart
-- column   ledgerAccount, text: number of the ledger account
-- column   ledgerAccountName, text: its name
-- column   amount, money: debit positive, credit negative
-- column   memo, text: what the entry is about
-- column   settlementId, id: settlement that it posts, if one
-- column   terminalId, id: terminal that it posts
-- column   source, word: what it comes from
select
    account as "account",
    audit_seq as "auditSeq",
    known_at as "knownAt",
    as_of as "asOf",
    entry_id as "entryId",
    origin_id as "originId",
    entry_date as "date",
    account_key as "accountKey",
    ledger_account as "ledgerAccount",
    account_name as "ledgerAccountName",
    (amount_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amount",
    memo as "memo",
    settlement_id as "settlementId",
    terminal_id as "terminalId",
    source as "source"
from lake.ops.exported_line
