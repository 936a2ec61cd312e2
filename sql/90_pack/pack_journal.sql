-- pack     accounting/journal.csv
-- grain    one row per entry, account and terminal
-- reads    journal_line
-- rule     R-23: entries of the range; R-32: text in files
-- silent   nothing
select
    entry_id as "entryId",
    entry_date::varchar as "date",
    period as "period",
    account as "account",
    guard(account_name) as "accountName",
    money(debit_cents) as "debit",
    money(credit_cents) as "credit",
    currency as "currency",
    guard(memo) as "memo",
    settlement_id::varchar as "settlementId",
    terminal_id::varchar as "terminalId",
    source as "source"
from
    journal_line
    -- An adjustment may have lines of two terminals, and stays together.
order by
    entry_date, source,
    min(journal_line.terminal_id) over (partition by entry_id),
    journal_line.settlement_id, entry_id, line_no
