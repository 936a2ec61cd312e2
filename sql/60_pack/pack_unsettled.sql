-- pack     unsettled.csv
-- grain    one row per item that is open at as_of, whatever its date
-- reads    placed_transaction, current_transaction
-- rule     R-14: what is open, its age and its bucket; R-32: text in files
-- silent   members of PENDING settlements, and orphans
with
    aged as (
        select
            placed_transaction.transaction_id,
            placed_transaction.terminal_id,
            current_transaction.created,
            placed_transaction.action,
            current_transaction.status,
            current_transaction.total_cents,
            placed_transaction.signed_cents,
            current_transaction.last_observed_at,
            getvariable('as_of_date') - placed_transaction.business_date as age_days
        from
            placed_transaction
            inner join current_transaction using (transaction_id)
        where place = 'OPEN'
    )
select
    getvariable('account') as "account",
    transaction_id::varchar as "transactionId",
    terminal_id::varchar as "terminalId",
    instant(created) as "created",
    action::varchar as "action",
    status::varchar as "status",
    money(total_cents) as "amountTotal",
    money(signed_cents) as "signedAmount",
    age_days::varchar as "ageDays",
    case
        when age_days <= 1 then '0-1'
        when age_days <= 5 then '2-5'
        when age_days <= 10 then '6-10'
        when age_days <= 30 then '11-30'
        else '>30'
    end as "bucket",
    instant(last_observed_at) as "lastObserved"
from aged
order by terminal_id, aged.created, transaction_id
