-- pack     unsettled.csv
-- grain    one row per item that is open at as_of, whatever its date
-- reads    current_transaction, delisted_record, sweep_scope, transaction_standing
-- rule     R-14: what is open, its age and its bucket; R-32: text in files
-- silent   members of PENDING settlements, and orphans
with
    open_item as (
        select
            transaction_standing.transaction_id, transaction_standing.terminal_id,
            current_transaction.created, transaction_standing.action, current_transaction.status,
            current_transaction.total_cents, transaction_standing.signed_cents,
            current_transaction.observed_at,
            getvariable('as_of_date') - transaction_standing.business_date as age_days
        from transaction_standing inner join current_transaction using (transaction_id)
        where standing = 'OPEN'
    ),
    -- For each instant from which a sweep covers the records: the end of the last such sweep.
    swept_item as (
        select
            terminal_id,
            coalesce(covers_from, '-infinity'::timestamp) as covers_from,
            max(ended_at) over (
                partition by terminal_id
                order by coalesce(covers_from, '-infinity'::timestamp)
            ) as ended_at
        from sweep_scope
        where list = 'transactions'
    ),
    sweep_match as (
        select
            open_item.*,
            case
                when delisted_record.subject_id is null then greatest(observed_at, of_all.ended_at, of_one.ended_at)
                else observed_at
            end as last_listed_at
        from
            open_item
            left join delisted_record on delisted_record.list = 'transactions'
            and delisted_record.subject_id = open_item.transaction_id
            asof left join (
                from swept_item
                where terminal_id is null
            ) as of_all on open_item.created > of_all.covers_from
            asof left join swept_item as of_one on open_item.terminal_id = of_one.terminal_id
            and open_item.created > of_one.covers_from
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
    instant(last_listed_at) as "lastObserved"
from sweep_match
order by terminal_id, sweep_match.created, transaction_id
