-- view     journal
-- of       results
-- grain    one row per entry and ledger account of a run: accounting/journal.csv
-- silent   entries whose date lies outside of the range
select
    chosen_run.account as "account", -- name: short name of the account
    result.run_id as "runId", -- name: run that found it
    result."entryId" as "entryId", -- name: id of the entry, the same in every run
    result."date"::date as "date", -- date: posting date
    result."period" as "period", -- month: accounting period
    result."account" as "ledgerAccount", -- text: number of the ledger account: the column account of the file
    result."accountName" as "ledgerAccountName", -- text: its name, guarded as in the file: the column accountName of the file
    result."debit"::decimal(18, 2) as "debit", -- money: debit; empty on the credit side
    result."credit"::decimal(18, 2) as "credit", -- money: credit; empty on the debit side
    result."currency" as "currency", -- word: ISO 4217
    result."memo" as "memo", -- text: what the entry is about, guarded as in the file
    result."settlementId"::bigint as "settlementId", -- id: settlement that it posts, if one
    result."terminalId"::bigint as "terminalId", -- id: terminal that it posts
    result."source" as "source" -- word: what it comes from: charges, refunds, a settlement, a void, an adjustment
from lake.result.journal as result inner join chosen_run using (run_id)
