-- model    adjacent_break_shift
-- grain    one row per settlement of a shift and untied settlement near that shift, and the transactions that moved
-- reads    adjacent_break, adjacent_break_tie, shift
-- rule     R-09: a shift is as ambiguous as either of its sides
-- silent   shifts whose cut-offs are confirmed
with
    shift_side as (
        select
            unnest([from_settlement_id, to_settlement_id]) as settlement_id,
            unnest([to_settlement_id, from_settlement_id]) as other_id,
            transaction_id
        from shift
    ),
    unconfirmed_side as (
        select settlement_id, break_id
        from adjacent_break
        where break_verdict = 'BREAK'
        union all
        select shifted_id, break_id
        from adjacent_break_tie
    ),
    shift_of_settlement as (
        select distinct
            unnest([shift_side.settlement_id, shift_side.other_id]) as settlement_id,
            shift_side.transaction_id, unconfirmed_side.break_id
        from shift_side inner join unconfirmed_side using (settlement_id)
    )
select
    settlement_id, break_id,
    string_agg(transaction_id, ';' order by transaction_id) as transaction_ids
from shift_of_settlement
group by settlement_id, break_id
