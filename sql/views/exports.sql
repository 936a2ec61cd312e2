-- view     exports
-- of       results
-- grain    one row per line of the program files of a run's pack: lines that were in no approved pack when it ran
-- silent   lines that were exported before
-- column   account, name: short name of the account
-- column   runId, name: run that found it
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
    chosen_run.account as "account",
    result.run_id as "runId",
    result.entry_id as "entryId",
    result.origin_id as "originId",
    result.entry_date as "date",
    result.account_key as "accountKey",
    result.ledger_account as "ledgerAccount",
    result.account_name as "ledgerAccountName",
    (result.amount_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amount",
    result.memo as "memo",
    result.settlement_id as "settlementId",
    result.terminal_id as "terminalId",
    result.source as "source"
from lake.result.export as result inner join chosen_run using (run_id)
