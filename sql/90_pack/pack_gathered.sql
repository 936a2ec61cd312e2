-- pack     the files for accounting programs
-- grain    one row per entry for the accounting programs and ledger account, and per terminal if each has lines of its own
-- reads    gathered_line
-- rule     R-70: gathered entries; R-32: text in files
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
    gathered_line
    -- An adjustment may have lines of two terminals, and stays together.
order by
    entry_date, source,
    min(gathered_line.terminal_id) over (partition by entry_id),
    gathered_line.settlement_id, entry_id, line_no
