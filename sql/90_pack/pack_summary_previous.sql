-- pack     the summaries: the pack that this one is compared with
-- grain    one row; none if it is the account's first
-- reads    pack_settlements, previous_run
-- rule     R-37: which pack that is, and which business dates both cover
-- silent   the changes, which are in pack_summary_change
select
    run_id as "runId",
    from_date as "from",
    to_date as "to",
    instant(as_of) as "asOf",
    known_at as "knownAt",
    is_approved as "isApproved",
    greatest(from_date, getvariable('from_date')) as "bothFrom",
    least(to_date, getvariable('to_date')) as "bothTo",
    (
        select count(*)
        from pack_settlements
        where "businessDate"::date < from_date or "businessDate"::date >= to_date
    ) as "settlementsOfNewDays"
from previous_run
