-- model    unpaired_cut
-- grain    one row per settlement that has a difference and is in no pair, and position at which its cut-off may lie
-- reads    boundary_before_shifts, cutoff_candidate, cutoff_difference, pair_shift
-- rule     R-28: the present cut-off; if no neighbour supports it, also others close to the usual lag
-- silent   a terminal's last settlement, which has no next one
-- drop     after its last reader
with
    unpaired as (
        select cutoff_difference.*, following.position as next_position
        from
            cutoff_difference
            inner join boundary_before_shifts as following on following.terminal_id = cutoff_difference.terminal_id
            and following.ordinal = cutoff_difference.ordinal + 1
        where
            cutoff_difference.settlement_id not in (select earlier_id from pair_shift)
            and cutoff_difference.settlement_id not in (select later_id from pair_shift)
    ),
    cut as (
        select settlement_id, position as new_cut_position, difference_cents as moved_cents
        from unpaired
        union all
        select
            unpaired.settlement_id, cutoff_candidate.position,
            unpaired.difference_cents + cutoff_candidate.transactions_cents - unpaired.running_cents
        from
            unpaired
            inner join cutoff_candidate on cutoff_candidate.settlement_id = unpaired.settlement_id
            and cutoff_candidate.clock = unpaired.clock
            and cutoff_candidate.position > unpaired.previous_position
            and cutoff_candidate.position <= unpaired.next_position
            and cutoff_candidate.position <> unpaired.position
        where
            unpaired.support < 2
            and is_usual_cutoff (
                cutoff_strays (cutoff_candidate.lag_low_s, cutoff_candidate.lag_high_s, unpaired.lag_s),
                unpaired.spread_s
            )
    )
select
    unpaired.settlement_id, unpaired.clock, unpaired.terminal_id, unpaired.ordinal,
    unpaired.difference_cents, unpaired.previous_position, cut.new_cut_position,
    cut.new_cut_position = unpaired.position as is_same_cut,
    cut.moved_cents,
    count(*) over (partition by unpaired.settlement_id) as cuts
from unpaired inner join cut using (settlement_id)
