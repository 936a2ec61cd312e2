-- pack     the summaries: PENDING settlements over time
-- grain    one row per observed version of twelve settlements: those PENDING for longest, or changed while they were PENDING
-- reads    pack_pending
-- rule     R-13: every observed version is shown; R-63: the rows of pending.csv are in the order of landings; R-37: what the summaries show
-- silent   settlements that completed with the amount that they had, also if it changed later; those beyond the twelfth, which are in pending.csv
with
    drifting as (
        select "settlementId" as settlement_id
        from pack_pending
        qualify
            lag("status") over (partition by "settlementId" order by rowid) <> 'COMPLETE'
            and "change"::decimal(18, 2) <> 0
    ),
    pending_item as (
        select
            "settlementId" as settlement_id,
            arg_max("status", rowid) <> 'COMPLETE' as is_open,
            business_date(any_value("created"::timestamp)) between getvariable('from_date') and getvariable('to_date') - 1 as is_of_range,
            max("hoursPending"::bigint) as hours
        from pack_pending
        group by "settlementId"
    ),
    chosen_item as (
        select
            settlement_id, is_open,
            count(*) over () as of_all,
            count(*) filter(where is_open) over () as of_open,
            count(*) filter(where is_open and is_of_range) over () as of_open_in_range,
            row_number() over (order by is_open desc, hours desc, settlement_id::bigint) as ordinal
        from pending_item
        where is_open or settlement_id in (select settlement_id from drifting)
        qualify ordinal <= 12
    )
select
    pack_pending."settlementId" as "settlementId",
    pack_pending."terminalId" as "terminalId",
    pack_pending."created" as "created",
    pack_pending."observedAt" as "observedAt",
    pack_pending."status" as "status",
    pack_pending."reportedNet" as "reportedNet",
    pack_pending."change" as "change",
    pack_pending."hoursPending" as "hoursPending",
    chosen_item.is_open as "isOpen",
    chosen_item.of_all as "ofAll",
    chosen_item.of_open as "ofOpen",
    chosen_item.of_open_in_range as "ofOpenInRange"
from pack_pending inner join chosen_item on chosen_item.settlement_id = pack_pending."settlementId"
order by ordinal, pack_pending.rowid
