-- model    sweep_part
-- grain    at most one row: the part of the list of transactions that a sweep has to read; no row if the whole list is due
-- reads    certified_transaction_sweep, last_landing, last_whole_sweep, needed_since, newest_transaction, ops_landed_page, ops_landing, requested_since, unread_record
-- rule     R-31: the reading of a list with the newest records first ends early; that of a list in order of creation begins late
-- silent   nothing
with
    last_sweep as (
        select *
        from certified_transaction_sweep
        order by landing_seq desc
        limit 1
    ),
    in_order as (
        select
            coalesce(bool_or((state ->> '$.sweep.orders.created.rises') = 'true'), false) as rises
        from ops_landing
        where
            sweep_id = (select sweep_id from last_sweep)
            and landing_seq = (select landing_seq from last_sweep)
    ),
    -- Only a whole sweep proves that the newest come first: a list in order of last change may look so for a while.
    newest_first as (
        select
            coalesce(
                bool_or(
                    (state ->> '$.sweep.orders.created.falls') = 'true'
                    and (state ->> '$.sweep.orders.created.rises') = 'false'
                ),
                false
            ) as falls
        from ops_landing
        where
            sweep_id = (select sweep_id from last_whole_sweep)
            and landing_seq = (select landing_seq from last_whole_sweep)
    ),
    -- If the clock of a sweep ran ahead, the true time of that sweep is unknown, and the whole list is due.
    whole_sweep as (
        select
            coalesce(
                last_whole_sweep.ended_at <= last_landing.observed_at - to_days(getvariable('whole_every_days'))
                or greatest(last_whole_sweep.ended_at, last_sweep.ended_at) > last_landing.observed_at + interval 1 day,
                true
            ) as is_due
        from last_landing left join last_whole_sweep on true left join last_sweep on true
    ),
    -- The last sweep may have begun after the records that are needed now. The last whole sweep saw these records close to
    -- their present offsets.
    page as (
        select page_offset, first_id, newest_transaction.created, ops_landed_page.landing_seq
        from
            ops_landed_page
            inner join newest_transaction on newest_transaction.transaction_id = try_cast(first_id as bigint)
        where
            sweep_id in (
                from last_sweep
                select sweep_id
                union all
                from last_whole_sweep
                select sweep_id
            )
            and page_offset > 0
    ),
    first_page as (
        select page_offset, first_id, page.created
        from page cross join needed_since cross join in_order
        where rises and page.created < needed_since.since
        order by page.created desc, page.landing_seq desc, page_offset desc
        limit 1
    )
select
    page_offset::varchar as page_offset,
    first_id,
    first_page.created::varchar as covers_from,
    case when falls then needed_since.since::varchar end as until,
    null as since
from whole_sweep cross join needed_since cross join newest_first left join first_page on true
where not is_due and not exists (from unread_record where is_to_judge and created is null)
union all
-- If a person named a range, the list is read from the first record that matters for it. The instant needed_since counts too,
-- so that no record after the last sweep is left out.
select
    null, null, null, null,
    (least(requested_since.since, needed_since.since) - interval 1 second)::varchar
from requested_since cross join needed_since cross join whole_sweep
where is_due and not exists (from unread_record where is_to_judge and created is null)
