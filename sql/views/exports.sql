-- view     exports
-- of       results
-- grain    one row per line of the program files of a run's pack: lines that were in no approved pack when it ran
-- silent   lines that were exported before
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result.entry_id as "entryId", -- name: id of the entry
    result.origin_id as "originId", -- name: entry that it adjusts, or its own id
    result.entry_date as "date", -- date: posting date
    result.account_key as "accountKey", -- word: key of the account in the chart
    result.ledger_account as "ledgerAccount", -- text: number of the ledger account
    result.account_name as "ledgerAccountName", -- text: its name
    (result.amount_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amount", -- money: debit positive, credit negative
    result.memo as "memo", -- text: what the entry is about
    result.settlement_id as "settlementId", -- id: settlement that it posts, if one
    result.terminal_id as "terminalId", -- id: terminal that it posts
    result.source as "source" -- word: what it comes from
from lake.result.export as result inner join chosen_run using (run_id)
