-- pack     no file: what tells one settlement's evidence from the transactions around it
-- grain    one row per settlement created in the range, or up to four days after it
-- reads    attribution, boundary, earliest_settled_time, first_candidate_position, flag_observation, shift, terminal_reach, tieout, usual_lag
-- rule     R-07: where it ends, by which clock, and how long before it was made that usually is; R-28: what was moved; R-05: what was seen to settle late
-- silent   what the transactions around it say by themselves: other cut-offs, and what could be swapped
with
    ends as (
        select
            settlement_id,
            terminal_id,
            ordinal,
            clock,
            coalesce(first_candidate_position.position > boundary.position, false) as is_early,
            cut_id,
            cut_at,
            lag(cut_id) over (in_order) as previous_cut_id,
            lag(cut_at) over (in_order) as previous_cut_at
        from
            boundary
            left join first_candidate_position using (settlement_id)
        window
            in_order as (
                partition by terminal_id
                order by ordinal
            )
    ),
    -- Of what stands between its cut-off and any other that it may have: a record is modified up to 72 hours after a settlement.
    moves as (
        select
            here.settlement_id,
            to_json(
                list(
                    struct_pack(
                        transaction_id := shift.transaction_id,
                        from_settlement_id := shift.from_settlement_id,
                        to_settlement_id := shift.to_settlement_id
                    )
                    order by shift.transaction_id
                )
            )::varchar as moves
        from
            shift
            inner join ends as holder on holder.settlement_id = shift.from_settlement_id
            inner join ends as here on here.terminal_id = holder.terminal_id
            inner join tieout on tieout.settlement_id = here.settlement_id
            and tieout.in_range
        where
            here.settlement_id in (shift.from_settlement_id, shift.to_settlement_id)
            or (
                holder.ordinal >= here.ordinal
                and coalesce(holder.previous_cut_at <= tieout.created + interval 72 hours, true)
            )
        group by here.settlement_id
    ),
    -- Settled late and in no settlement: what is in one, the run lists with it.
    late as (
        select
            flag_observation.terminal_id,
            earliest_settled_time.after_at,
            to_json(list(transaction_id order by transaction_id))::varchar as late
        from
            earliest_settled_time
            inner join flag_observation using (transaction_id)
            anti join attribution using (transaction_id)
        where
            after_at >= getvariable('window_from')
            and after_at < getvariable('window_to') + interval 4 days
        group by flag_observation.terminal_id, earliest_settled_time.after_at
    ),
    -- Of a settlement after the range: those that stand around the last one in it.
    later_members as (
        select
            member.settlement_id,
            to_json(list(member.transaction_id order by member.transaction_id))::varchar as members
        from
            attribution as member
            inner join tieout on tieout.settlement_id = member.settlement_id
            and tieout.created >= getvariable('window_to')
            and tieout.created < getvariable('window_to') + interval 4 days
        where member.created < getvariable('window_to') + interval 6 hours
        group by member.settlement_id
    ),
    -- One transaction that accounts for the differences of two settlements.
    twins as (
        select
            tieout.settlement_id,
            min(other.settlement_id) as other_id
        from
            tieout
            inner join tieout as other on other.explained_by = tieout.explained_by
            and other.settlement_id <> tieout.settlement_id
        where
            tieout.explanation = 'WRONG_TERMINAL'
            and other.explanation = 'WRONG_TERMINAL'
        group by tieout.settlement_id
    )
select
    tieout.settlement_id::varchar as "settlementId",
    tieout.terminal_id::varchar as "terminalId",
    tieout.created::varchar as "created",
    ends.clock::varchar as "clock",
    ends.previous_cut_id::varchar as "previousCutId",
    ends.previous_cut_at::varchar as "previousCutAt",
    ends.cut_id::varchar as "cutId",
    ends.cut_at::varchar as "cutAt",
    -- Before all places within the tolerance, so that others may lie between.
    ends.is_early::varchar as "isEarly",
    terminal_reach.reach_hours::varchar as "reach",
    usual_lag.lag_s::varchar as "usualLag",
    usual_lag.spread_s::varchar as "usualSpread",
    tieout.rival_count::varchar as "rivals",
    tieout.candidates as "candidates",
    to_json(tieout.unreadable)::varchar as "unreadable",
    twins.other_id::varchar as "otherSettlement",
    moves.moves as "moves",
    late.late as "late",
    later_members.members as "laterMembers"
from
    tieout
    inner join terminal_reach using (terminal_id)
    left join ends using (settlement_id)
    left join usual_lag on usual_lag.settlement_id = ends.settlement_id
    and usual_lag.clock = ends.clock
    left join moves using (settlement_id)
    left join late on late.terminal_id = tieout.terminal_id
    and late.after_at = tieout.created + clock_skew () + interval 1 microsecond
    left join twins using (settlement_id)
    left join later_members using (settlement_id)
where
    tieout.created >= getvariable('window_from')
    and tieout.created < getvariable('window_to') + interval 4 days
order by tieout.terminal_id, tieout.created, tieout.settlement_id
