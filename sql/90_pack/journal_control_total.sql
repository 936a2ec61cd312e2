-- pack     control_totals.csv, journal
-- grain    one row per control total about the journal
-- reads    cleared_variance, journal_line, pack_gathered, pack_journal, posted_line, tieout
-- rule     R-26: sums that must agree, computed in two ways; sums of the pack are read back from its text
-- silent   nothing
with
    journal as (
        select
            "entryId" as entry_id,
            "period" as period,
            coalesce(replace("debit", '.', '')::bigint, 0) as debit_cents,
            coalesce(replace("credit", '.', '')::bigint, 0) as credit_cents
        from pack_journal
    ),
    settlement_line as (
        select
            account_key, amount_cents,
            entry_date >= getvariable('from_date')
            and entry_date < getvariable('to_date') as is_dated_here,
            coalesce(in_range, false) as is_of_range
        from posted_line left join tieout using (settlement_id)
        where posted_line.settlement_id is not null
    ),
    movement as (
        select account_key, coalesce(debit_cents, 0) - coalesce(credit_cents, 0) as moved_cents
        from journal_line
        union all
        -- A settlement of the range may post after the range. An earlier settlement may post within the range.
        select
            account_key,
            case when is_dated_here then -amount_cents else amount_cents end
        from settlement_line
        where is_dated_here <> is_of_range
    ),
    account_sum as (
        select account_key, sum(moved_cents)::bigint as moved_cents
        from movement
        group by account_key
    ),
    gathered_difference as (
        select account, period
        from
            (
                select
                    account, period,
                    coalesce(debit_cents, 0) - coalesce(credit_cents, 0) as cents
                from journal_line
                where is_new
                union all
                select
                    "account", "period",
                    coalesce(replace("credit", '.', '')::bigint, 0) - coalesce(replace("debit", '.', '')::bigint, 0)
                from pack_gathered
            )
        group by account, period
        having sum(cents) <> 0
    ),
    settlement_sum as (
        select
            coalesce(sum(reported_cents), 0)::bigint as reported_cents,
            coalesce(
                sum(
                    case
                        when verdict = 'NO_DATA' then -reported_cents
                        else difference_cents - coalesce(cleared_variance.amount_cents, 0)
                    end
                ),
                0
            )::bigint as variance_cents
        from tieout left join cleared_variance using (settlement_id)
        where in_range and status = 'COMPLETE' and created <= getvariable('as_of')
    )
select
    14 as ordinal,
    'journal debits = credits' as name,
    true as is_money,
    coalesce(sum(debit_cents), 0)::bigint as expected,
    coalesce(sum(credit_cents), 0)::bigint as actual
from journal
union all
select 15, 'journal entries out of balance', false, 0, count(*)
from (select entry_id from journal group by entry_id having sum(debit_cents) <> sum(credit_cents))
union all
select 16, 'journal periods out of balance', false, 0, count(*)
from (select period from journal group by period having sum(debit_cents) <> sum(credit_cents))
union all
select
    20,
    'reported nets of COMPLETE settlements = cash in transit',
    true, reported_cents,
    coalesce((select moved_cents from account_sum where account_key = 'cash_in_transit'), 0)
from settlement_sum
union all
select
    21,
    'uncleared differences of COMPLETE settlements = suspense',
    true, variance_cents,
    coalesce((select moved_cents from account_sum where account_key = 'suspense'), 0)
from settlement_sum
union all
select 22, 'accounts and periods with another balance in the files for programs', false, 0, count(*)
from gathered_difference
union all
select 23, 'entries out of balance in the files for programs', false, 0, count(*)
from
    (
        select "entryId"
        from pack_gathered
        group by "entryId"
        having
            sum(replace(coalesce("debit", '0'), '.', '')::bigint) <> sum(replace(coalesce("credit", '0'), '.', '')::bigint)
    )
