-- model    posted_line
-- grain    one row per entry, account and terminal, on the day on which it posts: all entries up to as_of, whatever the range
-- reads    compared_posting, entry_decision, entry_origin, exported_entry, exported_line, posting
-- rule     R-36: exported entries unchanged, and adjustments for what has changed since; R-35: nothing new in a closed period; R-72: a person's reason
-- silent   differences of zero
with
    signed_line as (
        select entry_id as origin_id, account_key, terminal_id, amount_cents
        from compared_posting
        union all
        select origin_id, account_key, terminal_id, - amount_cents
        from exported_line
    ),
    -- A settlement that moved to another terminal leaves the first one and is added to the second.
    difference as (
        select origin_id, account_key, terminal_id, sum(amount_cents)::bigint as amount_cents
        from signed_line
        group by origin_id, account_key, terminal_id
        having sum(amount_cents) <> 0
    )
select
    entry_id, origin_id, entry_date, account_key, ledger_account, account_name, amount_cents, memo,
    settlement_id, terminal_id, source, false as is_new
from exported_line
union all
select
    posting.entry_id, posting.entry_id, posting.entry_date, posting.account_key, null, null,
    posting.amount_cents, posting.memo, posting.settlement_id, posting.terminal_id, posting.source,
    posting.entry_id not in (select entry_id from exported_entry)
from
    posting
    anti join (
        select origin_id
        from entry_origin
        where was_exported or is_late
    ) as adjusted on adjusted.origin_id = posting.entry_id
where posting.amount_cents <> 0
union all
select
    concat_ws('-', 'ADJ', origin_id, adjustments + 1),
    origin_id, post_date, account_key, null, null, amount_cents,
    'Adjusts ' || origin_id || ' of ' || entry_date::varchar || coalesce(', ' || decided, ''),
    settlement_id, terminal_id,
    'adjustment',
    concat_ws('-', 'ADJ', origin_id, adjustments + 1) not in (select entry_id from exported_entry)
from
    difference
    inner join entry_origin using (origin_id)
    left join entry_decision on entry_decision.entry_id = origin_id
where was_exported or is_late
