-- model    shift
-- grain    one row per transaction that belongs to another settlement than its time says
-- reads    group_shift, observed_candidate, observed_shift, pair_shift
-- rule     R-28: first pairs of settlements, then single transactions that sweeps saw settle late, then groups of settlements
-- silent   shifts of which a transaction was seen to settle elsewhere (R-05), with all others of the same pair or group
with
    possible_shift as (
        select
            earlier_id as shift_id, transaction_id, to_settlement_id,
            case
                when to_settlement_id = later_id then earlier_id
                else later_id
            end as from_settlement_id, earlier_id as cut_settlement_id, new_cut_position, options
        from pair_shift
        union all
        select
            from_settlement_id, transaction_id, to_settlement_id, from_settlement_id,
            from_settlement_id, new_cut_position, options
        from observed_shift
        union all
        select
            group_id, transaction_id, to_settlement_id, from_settlement_id, cut_settlement_id,
            new_cut_position, options
        from group_shift
    ),
    contradicted_shift as (
        select possible_shift.shift_id
        from
            possible_shift
            semi join observed_candidate using (transaction_id)
            anti join observed_candidate as own on own.transaction_id = possible_shift.transaction_id
            and own.settlement_id = possible_shift.to_settlement_id
    )
select * exclude (shift_id)
from possible_shift
where shift_id not in (select shift_id from contradicted_shift)
