-- model    journal_line
-- grain    one row per entry, account and terminal: the entries whose date lies in the range
-- reads    chart, posted_line
-- rule     R-23: an entry is a debit or a credit per account, in the ledger accounts of the chart, or those that it was exported with
-- silent   entries outside of the range
with
    named_line as (
        select
            entry_id, origin_id, entry_date, posted_line.account_key,
            coalesce(ledger_account, chart.account, posted_line.account_key) as account,
            coalesce(posted_line.account_name, chart.account_name, posted_line.account_key) as account_name,
            amount_cents, memo, settlement_id, terminal_id, source, is_new,
            list_position(
                [
                    'cash_in_transit',
                    'clearing',
                    'suspense',
                    'sales',
                    'refunds',
                    'tax',
                    'shipping',
                    'tips',
                    'surcharge',
                    'unallocated'
                ],
                posted_line.account_key
            ) as account_rank
        from posted_line left join chart on chart.account_key = posted_line.account_key
        where entry_date >= getvariable('from_date') and entry_date < getvariable('to_date')
    )
select
    entry_id, entry_date,
    strftime(entry_date, '%Y-%m') as period,
    account_key, account, account_name,
    case when amount_cents > 0 then amount_cents end as debit_cents,
    case when amount_cents < 0 then -amount_cents end as credit_cents,
    getvariable('currency') as currency,
    memo, settlement_id, terminal_id, source,
    row_number() over (partition by entry_id order by account_rank, terminal_id) as line_no,
    account_rank, origin_id, is_new
from named_line
