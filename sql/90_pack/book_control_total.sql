-- pack     control_totals.csv, books
-- grain    one row per control total about the roll-forward and the journal
-- reads    cleared_variance, journal_line, pack_journal, pack_rollforward, pack_unsettled, posted_line, tieout, transaction_standing
-- rule     R-26: sums that must agree, taken along different ways; those of the pack are read back from its text
-- silent   nothing
with
    day as (
        select
            "terminalId" as terminal_id,
            "date"::date as date,
            replace("openingUnsettled", '.', '')::bigint as opening_cents,
            replace("charges", '.', '')::bigint - replace("refunds", '.', '')::bigint - replace("voids", '.', '')::bigint - replace("settled", '.', '')::bigint as moved_cents,
            replace("closingUnsettled", '.', '')::bigint as closing_cents,
            lag(replace("closingUnsettled", '.', '')::bigint) over in_time as closing_before_cents,
            lead("date") over in_time is null as is_last
        from pack_rollforward
        window
            in_time as (
                partition by "terminalId"
                order by "date"
            )
    ),
    closing as (
        select coalesce(sum(closing_cents), 0)::bigint as closing_cents
        from day
        where is_last
    ),
    still_open as (
        select
            (
                select coalesce(sum(replace("signedAmount", '.', '')::bigint), 0)
                from pack_unsettled
            ) + coalesce(sum(signed_cents), 0) as open_cents
        from transaction_standing
        where place in ('PENDING', 'ORPHAN')
    ),
    booked as (
        select
            "entryId" as entry_id,
            "period" as period,
            coalesce(replace("debit", '.', '')::bigint, 0) as debit_cents,
            coalesce(replace("credit", '.', '')::bigint, 0) as credit_cents
        from pack_journal
    ),
    moved as (
        select
            account_key,
            sum(coalesce(debit_cents, 0) - coalesce(credit_cents, 0))::bigint as moved_cents
        from journal_line
        group by account_key
    ),
    -- A settlement of the range may post after it, and one from before it within it.
    elsewhere as (
        select
            account_key,
            sum(
                case
                    when is_dated_here then -amount_cents
                    else amount_cents
                end
            )::bigint as moved_cents
        from
            (
                select
                    account_key,
                    amount_cents,
                    entry_date >= getvariable('from_date')
                    and entry_date < getvariable('to_date') as is_dated_here,
                    coalesce(in_range, false) as is_of_range
                from
                    posted_line
                    left join tieout using (settlement_id)
                where posted_line.settlement_id is not null
            )
        where is_dated_here <> is_of_range
        group by account_key
    ),
    complete as (
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
        from
            tieout
            left join cleared_variance using (settlement_id)
        where
            in_range
            and status = 'COMPLETE'
            and created <= getvariable('as_of')
    )
select
    11 as ordinal,
    'roll-forward rows that do not add up' as name,
    false as is_money,
    0 as expected,
    count(*) as actual
from day
where opening_cents + moved_cents <> closing_cents
union all
select
    12,
    'roll-forward openings that are not the closing before',
    false,
    0,
    count(*)
from day
where closing_before_cents <> opening_cents
union all
select
    13,
    'unsettled items + members of PENDING + orphans = last closings',
    true,
    open_cents::bigint,
    closing_cents
from
    still_open
    cross join closing
union all
select
    14,
    'journal debits = credits',
    true,
    coalesce(sum(debit_cents), 0)::bigint,
    coalesce(sum(credit_cents), 0)::bigint
from booked
union all
select
    15,
    'journal entries out of balance',
    false,
    0,
    (
        select count(*)
        from
            (
                select entry_id
                from booked
                group by entry_id
                having sum(debit_cents) <> sum(credit_cents)
            )
    )
union all
select
    16,
    'journal periods out of balance',
    false,
    0,
    (
        select count(*)
        from
            (select period from booked group by period having sum(debit_cents) <> sum(credit_cents))
    )
union all
select
    17,
    'roll-forward of the range = clearing in the journal',
    true,
    coalesce((select sum(moved_cents) from day where date < getvariable('to_date')), 0)::bigint,
    coalesce((select moved_cents from moved where account_key = 'clearing'), 0)
union all
select
    18,
    'last closings = clearing of all entries to date',
    true,
    closing_cents,
    coalesce((select sum(amount_cents) from posted_line where account_key = 'clearing'), 0)::bigint
from closing
union all
select
    19,
    'reported nets of COMPLETE settlements = cash in transit',
    true,
    reported_cents,
    coalesce((select moved_cents from moved where account_key = 'cash_in_transit'), 0) + coalesce(
        (select moved_cents from elsewhere where account_key = 'cash_in_transit'),
        0
    )
from complete
union all
select
    20,
    'what COMPLETE settlements are off by = suspense',
    true,
    variance_cents,
    coalesce((select moved_cents from moved where account_key = 'suspense'), 0) + coalesce(
        (select moved_cents from elsewhere where account_key = 'suspense'),
        0
    )
from complete
