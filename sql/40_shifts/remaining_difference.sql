-- model    remaining_difference
-- grain    one row per group, way to cut it and settlement in it: its difference after transactions of whole differences have moved
-- reads    group_cut, whole_difference_move
-- rule     R-28: a move takes its amount from one settlement and gives it to another
-- silent   nothing
-- drop     after its last reader
with
    change as (
        select
            group_id, cut_ordinal, cut_position,
            unnest([from_settlement_id, to_settlement_id]) as settlement_id,
            unnest([- signed_cents, signed_cents]) as change_cents
        from whole_difference_move
    ),
    sum_by_settlement as (
        select
            group_id, cut_ordinal, cut_position, settlement_id,
            sum(change_cents)::bigint as change_cents
        from change
        group by all
    )
select
    group_cut.* exclude (difference_cents),
    group_cut.difference_cents + coalesce(sum_by_settlement.change_cents, 0) as remaining_cents
from
    group_cut
    left join sum_by_settlement using (group_id, cut_ordinal, cut_position, settlement_id)
