-- check    line_has_one_side
-- grain    one row per journal line that is not either a debit or a credit, or that has no ledger account
-- reads    journal_line
-- rule     R-23: two columns that are never negative, exactly one filled
-- silent   nothing
select entry_id, line_no, account_key, debit_cents, credit_cents
from journal_line
where
    (debit_cents is null) = (credit_cents is null)
    or coalesce(debit_cents, credit_cents) <= 0
    or account is null
    or account_name is null
