-- model    swap_rival
-- grain    one row per settlement: how many sets that move or swap up to two transactions around a cut-off give the same net
-- reads    ordered_transaction, swap_cut
-- rule     R-09: transactions within two hours of a cut-off could move or be swapped across it
-- silent   settlements with nothing around their cut-offs
-- drop     after its last reader
with
    cut_in_bucket as (
        select *, unnest(swap_buckets (cut_at)) as bucket
        from swap_cut
        where settlement_id = counted_id
    ),
    possible_change as (
        select
            cut_in_bucket.counted_id, cut_in_bucket.cut_position,
            crossing_cents (
                around.position > cut_in_bucket.from_position
                and around.position <= cut_in_bucket.until_position,
                around.signed_cents
            ) as change_cents,
            coalesce(
                around.clock_at >= cut_in_bucket.other_at - swap_distance ()
                and around.clock_at <= cut_in_bucket.other_at + swap_distance (),
                false
            ) as is_at_both_cuts
        from
            cut_in_bucket
            inner join ordered_transaction as around on around.clock = cut_in_bucket.clock
            and around.terminal_id = cut_in_bucket.terminal_id
            and swap_bucket (around.clock_at) = cut_in_bucket.bucket
            and around.clock_at >= cut_in_bucket.cut_at - swap_distance ()
            and around.clock_at <= cut_in_bucket.cut_at + swap_distance ()
    ),
    -- Counted, not paired: among a thousand equal charges each would be paired with each.
    count_by_amount as (
        select
            counted_id, cut_position,
            abs(change_cents) as cents,
            count(*) filter(where change_cents > 0) as gains,
            count(*) filter(where change_cents < 0) as losses,
            count(*) filter(where change_cents = 0) as zeros,
            count(*) filter(where is_at_both_cuts and change_cents > 0) as both_gains,
            count(*) filter(where is_at_both_cuts and change_cents < 0) as both_losses,
            count(*) filter(where is_at_both_cuts and change_cents = 0) as both_zeros
        from possible_change
        group by counted_id, cut_position, abs(change_cents)
    ),
    count_by_cut as (
        select
            counted_id, cut_position,
            sum(swap_count (gains, losses, zeros)) as swaps,
            sum(swap_count (both_gains, both_losses, both_zeros)) as both_swaps
        from count_by_amount
        group by counted_id, cut_position
    )
    -- Swaps around both cut-offs were counted at each of the two.
select
    swap_cut.settlement_id,
    (sum(count_by_cut.swaps) - sum(count_by_cut.both_swaps) // 2)::bigint as rivals
from swap_cut inner join count_by_cut using (counted_id, cut_position)
group by swap_cut.settlement_id
