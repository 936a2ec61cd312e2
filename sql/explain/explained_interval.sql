-- model    explained_interval
-- grain    one row: where the explained settlement begins and ends, and by which clock
-- reads    attribution, boundary, current_transaction, manual_member, ordered_transaction, shift, terminal_reach, tieout
-- rule     R-07: the settlement ends before the next transaction with a position by arithmetic. If there are no positions, its members show its time
-- silent   members that a person or a shift has put into it, which may lie anywhere
with
    settlement as (
        select
            tieout.settlement_id, tieout.terminal_id, tieout.created, boundary.clock,
            boundary.previous_position, boundary.position,
            coalesce(boundary.position > boundary.previous_position, false) as holds_some
        from tieout left join boundary using (settlement_id)
        where tieout.settlement_id = getvariable('explained_id')
    ),
    ends as (
        select
            settlement.*,
            own.clock_at as cut_at, earlier.clock_at as after_at,
            earlier.transaction_id as after_id, later.clock_at as until_at,
            later.transaction_id as until_id
        from
            settlement
            left join ordered_transaction as own on own.terminal_id = settlement.terminal_id
            and own.clock = settlement.clock
            and own.position = settlement.position
            left join ordered_transaction as earlier on earlier.terminal_id = settlement.terminal_id
            and earlier.clock = settlement.clock
            and earlier.position = settlement.previous_position
            left join ordered_transaction as later on later.terminal_id = settlement.terminal_id
            and later.clock = settlement.clock
            and later.position = settlement.position + 1
    ),
    member as (
        select
            t.transaction_id, t.created,
            case
                when holds_some and clock = 'modified' then coalesce(t.last_modified, t.created)
                else t.created
            end as clock_at, holds_some
            and (after_id is null or (clock_at, t.transaction_id) > (after_at, after_id))
            and (
                until_id is null
                or (clock_at, t.transaction_id) < (until_at, until_id)
            ) as is_between
        from attribution inner join current_transaction as t using (transaction_id), ends
        where
            attribution.settlement_id = getvariable('explained_id')
            and transaction_id not in (select transaction_id from manual_member)
            and transaction_id not in (select transaction_id from shift)
    ),
    interval_member as (
        from member
        where is_between
        union all
        from member
        where not exists (from member where is_between)
    )
select
    any_value(ends.settlement_id) as settlement_id,
    any_value(terminal_id) as terminal_id,
    coalesce(bool_or(is_between), true) as is_cut_off,
    case when is_cut_off then any_value(clock) end as clock,
    min(clock_at) as begins_at,
    coalesce(max(clock_at), any_value(cut_at)) as ends_at,
    -- A settlement without members has its whole window.
    coalesce(
        min(interval_member.created),
        any_value(ends.created) - to_hours(any_value(reach_hours))
    ) - neighbour_distance () as neighbours_from,
    coalesce(max(interval_member.created), any_value(ends.created)) + neighbour_distance () as neighbours_until
from ends inner join terminal_reach using (terminal_id) left join interval_member on true
