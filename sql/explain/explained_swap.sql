-- model    explained_swap
-- grain    one row per transaction, or pair of transactions, that could cross a cut-off without changing the net; the first ten
-- reads    boundary, ordered_transaction
-- rule     R-09: rivals are sets that move or swap up to two transactions within two hours of a cut-off
-- silent   sets beyond the tenth
with
    settlement as (
        select *
        from boundary
        where settlement_id = getvariable('explained_id')
    ),
    cut as (
        select settlement.*, last_in.clock_at as at, last_in.position as cut_position
        from
            settlement
            inner join ordered_transaction as last_in on last_in.terminal_id = settlement.terminal_id
            and last_in.clock = settlement.clock
            and last_in.position in (settlement.position, settlement.previous_position)
    ),
    neighbour as (
        select
            cut.cut_position, t.transaction_id,
            t.position > cut.previous_position
            and t.position <= cut.position as is_inside,
            crossing_cents (is_inside, t.signed_cents) as change_cents
        from
            cut
            inner join ordered_transaction as t on t.terminal_id = cut.terminal_id
            and t.clock = cut.clock
            and t.clock_at between cut.at - swap_distance () and cut.at + swap_distance ()
    ),
    swap as (
        select distinct [one.transaction_id] as ids, [one.is_inside] as inside
        from neighbour as one
        where is_swap (one.change_cents, 0)
        union
        select distinct [one.transaction_id, other.transaction_id], [one.is_inside, other.is_inside]
        from
            neighbour as one
            inner join neighbour as other on other.cut_position = one.cut_position
            and is_swap (one.change_cents, other.change_cents)
            and other.transaction_id > one.transaction_id
    )
select
    array_to_string([id for id, index in ids if inside[index]], ';') as leave,
    array_to_string([id for id, index in ids if not inside[index]], ';') as join
from swap
order by len(ids), ids
limit 10
