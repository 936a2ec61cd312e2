-- model    earliest_settled_time
-- grain    one row per transaction that was seen to become settled later than its time says, with the earliest time that R-07 may give it
-- reads    flag_observation, known_settlement, observed_candidate, terminal_reach
-- rule     R-05: a settlement whose event came while the transaction was unsettled can't contain it, however early its time
-- silent   transactions no older than the reach before that settlement, if the next cut-off may lie before it
with
    settlement_pair as (
        select
            settlement_id, ordinal, created,
            case
                when lag(ordinal) over in_order = ordinal - 1 then lag(created) over in_order
            end as before_at
        from known_settlement
        window
            in_order as (
                partition by terminal_id
                order by ordinal
            )
    ),
    -- A join by settlement compares each transaction with few rows. A join by terminal and position would compare it with all
    -- settlements of its terminal.
    first_possible_settlement as (
        select
            observed_candidate.transaction_id,
            arg_min(settlement_pair.created, settlement_pair.ordinal) as following_at,
            arg_min_null(settlement_pair.before_at, settlement_pair.ordinal) as before_at
        from observed_candidate inner join settlement_pair using (settlement_id)
        where settlements > 1
        group by observed_candidate.transaction_id
    )
select
    transaction_id,
    -- Transactions of the instant of the settlement before may be in that one. So may those that seem later because clocks
    -- differ.
    before_at + clock_skew () + interval 1 microsecond as after_at
from
    first_possible_settlement
    inner join flag_observation using (transaction_id)
    inner join terminal_reach using (terminal_id)
where
    flag_observation.created < before_at
    -- If the cut-off may lie before the creation of the settlement before, only transactions older than the reach are listed.
    and (
        following_at - to_hours(reach_hours) >= before_at
        or flag_observation.created < before_at - to_hours(reach_hours)
    )
