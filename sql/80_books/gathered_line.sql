-- model    gathered_line
-- grain    one row per entry for the accounting programs and ledger account, and per terminal if each has lines of its own
-- reads    entry_decision, exported_entry, journal_line
-- rule     R-70: entries are gathered by day or month; after each approval a gathered entry gets the next number; R-72: a person's reason
-- silent   entries that an approved pack contained, and accounts whose lines sum to zero
with
    entry as (
        select entry_id, entry_date, source, settlement_id, audit_seq
        from exported_entry
        union all
        select distinct entry_id, entry_date, source, settlement_id, null
        from journal_line
        where is_new
    ),
    gathered_entry as (
        select
            entry_id, audit_seq,
            case getvariable('accounting_group')
                when 'day' then 'day'
                when 'month' then source
                when 'settlement' then case when settlement_id is null then 'sales' end
            end as gathered_source,
            case
                when gathered_source is null then entry_date
                when getvariable('accounting_group') = 'month' then last_day(entry_date)
                else entry_date
            end as gathered_date,
            case
                when gathered_source is null then entry_id
                when getvariable('accounting_group') = 'month' then 'M-' || strftime(entry_date, '%Y%m') || '-' || source
                when gathered_source = 'sales' then 'DS-' || strftime(entry_date, '%Y%m%d')
                else 'D-' || strftime(entry_date, '%Y%m%d')
            end as gathered_id
        from entry
    ),
    numbered_entry as (
        select
            gathered_id,
            -- An approved pack exports at most one gathered entry of each id.
            count(distinct audit_seq) as approvals,
            count(*) filter(where audit_seq is null) as entry_count
        from gathered_entry
        group by gathered_id
    ),
    -- The memo has room for the reason of one decision. journal.csv has the reasons of several.
    gathered_decision as (
        select
            gathered_id,
            case count(*)
                when 1 then any_value(decided)
                else count(*)::varchar || ' of them decided by people, with the reasons in journal.csv'
            end as decided
        from
            (
                select distinct entry_id, decided
                from
                    journal_line
                    inner join (
                        select entry_id as origin_id, decided
                        from entry_decision
                    ) using (origin_id)
                where is_new
            )
            inner join gathered_entry using (entry_id)
        group by gathered_id
    ),
    gathered_sum as (
        select
            gathered_id,
            any_value(gathered_date) as entry_date,
            any_value(gathered_source) as source,
            any_value(journal_line.source) as own_source,
            any_value(memo) as own_memo,
            any_value(currency) as currency,
            account, account_name,
            case when gathered_source is null then account_key end as own_account_key,
            case when gathered_source is null then settlement_id end as settlement_id,
            case
                when gathered_source is null
                or getvariable('accounting_by_terminal') then terminal_id
            end as terminal_id,
            min(account_rank) as account_rank,
            sum(coalesce(debit_cents, 0) - coalesce(credit_cents, 0))::bigint as amount_cents
        from journal_line inner join gathered_entry using (entry_id)
        where is_new
        group by all
        having amount_cents <> 0
    )
select
    case
        when approvals = 0 then gathered_id
        else gathered_id || '-' || (approvals + 1)
    end as entry_id, entry_date,
    strftime(entry_date, '%Y-%m') as period,
    account, account_name,
    case when amount_cents > 0 then amount_cents end as debit_cents,
    case when amount_cents < 0 then -amount_cents end as credit_cents,
    currency,
    case
        when source is null then own_memo
        else case source
            when 'day' then 'Journal entries of ' || entry_date::varchar
            when 'sales' then 'Charges, refunds and voids of ' || entry_date::varchar
            else upper(left(source, 1)) || substr(source, 2) || ' entries of ' || strftime(entry_date, '%Y-%m')
        end || case
            when approvals = 0 then ''
            else ', after approval'
        end || ': ' || entry_count || coalesce(', ' || decided, '')
    end as memo, settlement_id, terminal_id,
    coalesce(source, own_source) as source,
    row_number() over (
        partition by gathered_id
        order by terminal_id, account_rank, account, account_name
    ) as line_no
from
    gathered_sum
    inner join numbered_entry using (gathered_id)
    left join gathered_decision using (gathered_id)
