-- view     journal
-- of       results
-- grain    one row per entry and ledger account of a run: accounting/journal.csv
-- silent   entries whose date lies outside of the range
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   entryId, name: id of the entry, the same in every run
-- column   date, date: posting date
-- column   period, month: accounting period
-- column   ledgerAccount, text: number of the ledger account: the column account of the file
-- column   ledgerAccountName, text: its name, guarded as in the file: the column accountName of the file
-- column   debit, money: debit; empty on the credit side
-- column   credit, money: credit; empty on the debit side
-- column   currency, word: ISO 4217
-- column   memo, text: what the entry is about, guarded as in the file
-- column   settlementId, id: settlement that it posts, if one
-- column   terminalId, id: terminal that it posts
-- column   source, word: what it comes from: charges, refunds, a settlement, a void, an adjustment
select
    chosen_run.account as "account",
    result.run_id as "runId",
    result."entryId" as "entryId",
    result."date"::date as "date",
    result."period" as "period",
    result."account" as "ledgerAccount",
    result."accountName" as "ledgerAccountName",
    result."debit"::decimal(18, 2) as "debit",
    result."credit"::decimal(18, 2) as "credit",
    result."currency" as "currency",
    result."memo" as "memo",
    result."settlementId"::bigint as "settlementId",
    result."terminalId"::bigint as "terminalId",
    result."source" as "source"
from lake.result.journal as result inner join chosen_run using (run_id)
