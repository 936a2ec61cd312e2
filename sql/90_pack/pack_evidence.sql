-- pack     no file: the evidence of one settlement beside the transactions around it
-- grain    one row per settlement created in the range, or up to four days after it
-- reads    adjacent_cutoff, attribution, certificate_reason, earliest_settled_time, flag_observation, shift, terminal_reach, tieout, usual_lag
-- rule     R-07: its cut-off, clock and usual lag; R-09: reasons for its certificate; R-28: transactions that were moved; R-05: transactions that were seen to settle late
-- silent   facts that follow from the transactions around it: other cut-offs, and possible swaps
with
    -- The shifts of transactions between the settlement's cut-off and its other possible ones. A record may be modified up to 72 hours
    -- after a settlement.
    shift_list as (
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
            inner join adjacent_cutoff as holder on holder.settlement_id = shift.from_settlement_id
            inner join adjacent_cutoff as here on here.terminal_id = holder.terminal_id
            inner join tieout on tieout.settlement_id = here.settlement_id
            and tieout.in_range
        where
            here.settlement_id in (shift.from_settlement_id, shift.to_settlement_id)
            or (
                holder.ordinal >= here.ordinal
                and coalesce(
                    holder.previous_cut_at <= tieout.created + cutoff_delay (clock_value ('modified')),
                    true
                )
            )
        group by here.settlement_id
    ),
    -- Transactions that settled late and are in no settlement. All other transactions are listed with their settlement.
    late_transaction as (
        select
            flag_observation.terminal_id, earliest_settled_time.after_at,
            to_json(list(transaction_id order by transaction_id))::varchar as late
        from
            earliest_settled_time
            inner join flag_observation using (transaction_id)
            anti join attribution using (transaction_id)
        where
            after_at >= getvariable('window_from')
            and after_at < getvariable('window_to') + evidence_after ()
        group by flag_observation.terminal_id, earliest_settled_time.after_at
    ),
    -- Members of settlements after the range, if they lie close to its last settlement.
    later_member as (
        select
            member.settlement_id,
            to_json(list(member.transaction_id order by member.transaction_id))::varchar as members
        from
            attribution as member
            inner join tieout on tieout.settlement_id = member.settlement_id
            and tieout.created >= getvariable('window_to')
            and tieout.created < getvariable('window_to') + evidence_after ()
        where member.created < getvariable('window_to') + neighbour_distance ()
        group by member.settlement_id
    ),
    reason_list as (
        select
            settlement_id,
            to_json(list(certificate_reason order by reason, other_id))::varchar as reasons
        from certificate_reason
        group by settlement_id
    ),
    -- A single transaction accounts for the differences of both settlements.
    wrong_terminal_pair as (
        select tieout.settlement_id, min(other.settlement_id) as other_id
        from
            tieout
            inner join tieout as other on other.explained_by = tieout.explained_by
            and other.settlement_id <> tieout.settlement_id
        where tieout.explanation = 'WRONG_TERMINAL' and other.explanation = 'WRONG_TERMINAL'
        group by tieout.settlement_id
    )
select
    tieout.settlement_id::varchar as "settlementId",
    tieout.terminal_id::varchar as "terminalId",
    tieout.created::varchar as "created",
    adjacent_cutoff.clock::varchar as "clock",
    adjacent_cutoff.previous_cut_id::varchar as "previousCutId",
    adjacent_cutoff.previous_cut_at::varchar as "previousCutAt",
    adjacent_cutoff.cut_id::varchar as "cutId",
    adjacent_cutoff.cut_at::varchar as "cutAt",
    -- True if the cut-off lies before all positions within the reach: other transactions may lie in between.
    adjacent_cutoff.is_early::varchar as "isEarly",
    terminal_reach.reach_hours::varchar as "reach",
    usual_lag.lag_s::varchar as "usualLag",
    usual_lag.spread_s::varchar as "usualSpread",
    tieout.rival_count::varchar as "rivals",
    reason_list.reasons as "certificateReasons",
    tieout.candidates as "candidates",
    to_json(tieout.unreadable)::varchar as "unreadable",
    wrong_terminal_pair.other_id::varchar as "otherSettlement",
    shift_list.moves as "moves",
    late_transaction.late as "late",
    later_member.members as "laterMembers"
from
    tieout
    inner join terminal_reach using (terminal_id)
    left join adjacent_cutoff using (settlement_id)
    left join usual_lag on usual_lag.settlement_id = adjacent_cutoff.settlement_id
    and usual_lag.clock = adjacent_cutoff.clock
    left join shift_list using (settlement_id)
    left join late_transaction on late_transaction.terminal_id = tieout.terminal_id
    and late_transaction.after_at = tieout.created + clock_skew () + interval 1 microsecond
    left join wrong_terminal_pair using (settlement_id)
    left join later_member using (settlement_id)
    left join reason_list using (settlement_id)
where
    tieout.created >= getvariable('window_from')
    and tieout.created < getvariable('window_to') + evidence_after ()
order by tieout.terminal_id, tieout.created, tieout.settlement_id
