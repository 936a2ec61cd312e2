-- model    posted_line
-- grain    one row per entry and account, on the day on which it posts: all entries up to as_of, whatever the range
-- reads    closed_period, exported_entry, exported_line, posting
-- rule     R-36: exported entries as they were exported, and beside them what differs; R-35: nothing new in a closed period
-- silent   differences of zero
with
    closed_day as (
        select entry_date
        from
            (select distinct entry_date from posting)
            inner join closed_period on closed_period.period = strftime(entry_date, '%Y-%m')
    ),
    -- All others post as they are due.
    exported_or_closed as (
        select *
        from posting
        where
            entry_id in (select origin_id from exported_line)
            or entry_date in (select entry_date from closed_day)
    ),
    due as (
        select
            entry_id as origin_id,
            any_value(entry_date) as entry_date,
            any_value(settlement_id) as settlement_id,
            any_value(terminal_id) as terminal_id
        from exported_or_closed
        group by entry_id
    ),
    exported as (
        select
            origin_id,
            min(entry_date) as entry_date,
            any_value(settlement_id) as settlement_id,
            any_value(terminal_id) as terminal_id,
            count(distinct entry_id) filter(where entry_id <> origin_id) as adjustments
        from exported_line
        group by origin_id
    ),
    origin as (
        select
            origin_id,
            coalesce(due.entry_date, exported.entry_date) as entry_date,
            coalesce(due.settlement_id, exported.settlement_id) as settlement_id,
            coalesce(due.terminal_id, exported.terminal_id) as terminal_id,
            coalesce(exported.adjustments, 0) as adjustments,
            exported.origin_id is not null as was_exported
        from
            due
            full join exported using (origin_id)
    ),
    placed as (
        select
            origin.*,
            coalesce(closed_period.opens_on, origin.entry_date) as post_date,
            -- An entry that a pack of later knowledge exported was in time.
            closed_period.period is not null
            and exported_entry.entry_id is null as is_late
        from
            origin
            left join closed_period on closed_period.period = strftime(origin.entry_date, '%Y-%m')
            left join exported_entry on exported_entry.entry_id = origin.origin_id
    ),
    compared as (
        select
            entry_id as origin_id,
            account_key,
            amount_cents
        from exported_or_closed
        union all
        select
            origin_id,
            account_key,
            - amount_cents
        from exported_line
    ),
    difference as (
        select
            origin_id,
            account_key,
            sum(amount_cents)::bigint as amount_cents
        from compared
        group by origin_id, account_key
        having sum(amount_cents) <> 0
    )
select
    entry_id,
    origin_id,
    entry_date,
    account_key,
    ledger_account,
    account_name,
    amount_cents,
    memo,
    settlement_id,
    terminal_id,
    source,
    false as is_new
from exported_line
union all
select
    posting.entry_id,
    posting.entry_id,
    posting.entry_date,
    posting.account_key,
    null,
    null,
    posting.amount_cents,
    posting.memo,
    posting.settlement_id,
    posting.terminal_id,
    posting.source,
    posting.entry_id not in (select entry_id from exported_entry)
from
    posting
    anti join (
        select origin_id
        from placed
        where
            was_exported
            or is_late
    ) as adjusted on adjusted.origin_id = posting.entry_id
union all
select
    concat_ws('-', 'ADJ', origin_id, adjustments + 1),
    origin_id,
    post_date,
    account_key,
    null,
    null,
    amount_cents,
    'Adjusts ' || origin_id || ' of ' || entry_date::varchar,
    settlement_id,
    terminal_id,
    'adjustment',
    concat_ws('-', 'ADJ', origin_id, adjustments + 1) not in (select entry_id from exported_entry)
from
    difference
    inner join placed using (origin_id)
where
    was_exported
    or is_late
