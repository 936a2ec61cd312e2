-- pack     control_totals.csv, roll-forward
-- grain    one row per control total about the roll-forward
-- reads    journal_line, pack_rollforward, pack_unsettled, posted_line, transaction_standing
-- rule     R-26: sums that must agree, computed in two ways; sums of the pack are read back from its text
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
    terminal_closing as (
        select terminal_id::varchar as terminal_id, closing_cents
        from day
        where is_last
        union all
        select terminal_id::varchar, - amount_cents
        from posted_line
        where account_key = 'clearing'
    ),
    still_open as (
        select
            (
                select coalesce(sum(replace("signedAmount", '.', '')::bigint), 0)
                from pack_unsettled
            ) + coalesce(sum(signed_cents), 0) as open_cents
        from transaction_standing
        where standing in ('PENDING', 'ORPHAN')
    )
select
    11 as ordinal,
    'roll-forward rows that do not add up' as name,
    false as is_money, 0 as expected,
    count(*) as actual
from day
where opening_cents + moved_cents <> closing_cents
union all
select 12, 'roll-forward openings that are not the closing before', false, 0, count(*)
from day
where closing_before_cents <> opening_cents
union all
select
    13,
    'unsettled items + members of PENDING + orphans = last closings (all dates)',
    true,
    open_cents::bigint,
    closing_cents
from still_open cross join closing
union all
select
    17,
    'roll-forward of the range = clearing in the journal',
    true,
    coalesce((select sum(moved_cents) from day where date < getvariable('to_date')), 0)::bigint,
    coalesce(
        (
            select sum(coalesce(debit_cents, 0) - coalesce(credit_cents, 0))
            from journal_line
            where account_key = 'clearing'
        ),
        0
    )::bigint
union all
select
    18,
    'last closings = clearing of all entries to date',
    true, closing_cents,
    coalesce((select sum(amount_cents) from posted_line where account_key = 'clearing'), 0)::bigint
from closing
union all
select 19, 'terminals whose last closing is not the clearing of their entries', false, 0, count(*)
from (select terminal_id from terminal_closing group by terminal_id having sum(closing_cents) <> 0)
