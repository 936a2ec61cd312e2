-- model    adjacent_break_tie
-- grain    one row per TIED settlement between an untied settlement and one with a shift, and the transactions with the amount of the difference
-- reads    adjacent_break, attribution, explained_net, settlement_neighbour
-- rule     R-09: another cut-off with another shift may make the untied settlement tie
-- silent   settlements without such a transaction, in them or in the settlement with the shift
with
    unconfirmed_tie as (
        select
            tied.settlement_id, shifted.settlement_id as shifted_id,
            broken.settlement_id as break_id, broken.difference_cents
        from
            settlement_neighbour as tied
            inner join adjacent_break using (settlement_id)
            inner join explained_net as broken on broken.settlement_id = adjacent_break.break_id
            inner join settlement_neighbour as shifted on shifted.settlement_id in (tied.previous_id, tied.next_id)
        where
            tied.verdict = 'TIED'
            and tied.shifted_ids is null
            and shifted.shifted_ids is not null
            and shifted.settlement_id <> broken.settlement_id
    ),
    holder as (
        select
            settlement_id, shifted_id, break_id, difference_cents,
            unnest([settlement_id, shifted_id]) as holder_id
        from unconfirmed_tie
    )
select
    holder.settlement_id, holder.shifted_id, holder.break_id,
    string_agg(
        attribution.transaction_id,
        ';'
        order by attribution.transaction_id
    ) as transaction_ids
from
    holder
    inner join attribution on attribution.settlement_id = holder.holder_id
    and abs(attribution.signed_cents) = abs(holder.difference_cents)
group by holder.settlement_id, holder.shifted_id, holder.break_id
