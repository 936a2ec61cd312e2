-- model    member_time_range
-- grain    one row: the time of the explained settlement's members, with six hours on either side
-- reads    explained_evidence, shift, stored_member
-- rule     R-07: neighbours in time
-- silent   members that a person or a shift has put into it, which may lie anywhere
with
    interval_member as (
        from stored_member
        where method <> 'MANUAL' and transaction_id not in (select transaction_id from shift)
    )
select
    coalesce(min(interval_member.created), any_value(explained_evidence.earliest_at)) - neighbour_distance () as begins_at,
    coalesce(max(interval_member.created), any_value(explained_evidence.created)) + neighbour_distance () as ends_at
from explained_evidence left join interval_member on true
