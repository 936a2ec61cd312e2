-- model    observed_shift
-- grain    one row per transaction that was seen to turn settled late, and without which its settlement ties, or with which another does
-- reads    boundary_before_shifts, cutoff_candidate, cutoff_difference, late_settled_transaction, observed_candidate, pair_shift, settlement_running_net
-- rule     R-28: of several settlements that come into question by what was seen, the one with whose net it agrees, and none that ties without it
-- silent   settlements that more than one such move would make tie, and those of which none cancels the whole difference
with
    off as (
        select cutoff_difference.*, following.position as ends_at
        from
            cutoff_difference
            inner join boundary_before_shifts as following on following.terminal_id = cutoff_difference.terminal_id
            and following.ordinal = cutoff_difference.ordinal + 1
        where
            cutoff_difference.settlement_id not in (select earlier_id from pair_shift)
            and cutoff_difference.settlement_id not in (select later_id from pair_shift)
    ),
    -- As it is, or, where no run supports the cut, at another place near the usual lag.
    cuts as (
        select settlement_id, position as cut_position, gap_cents
        from off
        union all
        select
            off.settlement_id, cutoff_candidate.position,
            off.gap_cents + cutoff_candidate.transactions_cents - off.running_cents
        from
            off
            inner join cutoff_candidate on cutoff_candidate.settlement_id = off.settlement_id
            and cutoff_candidate.clock = off.clock
            and cutoff_candidate.position > off.previous_position
            and cutoff_candidate.position <= off.ends_at
            and cutoff_candidate.position <> off.position
        where
            off.support < 2
            and greatest(
                0,
                cutoff_candidate.lag_low_s - off.lag_s,
                off.lag_s - cutoff_candidate.lag_high_s
            ) <= 2 * off.spread_s
    ),
    held as (
        select
            off.settlement_id, off.terminal_id, off.ordinal, cuts.cut_position,
            -- By so much another cut moves what the next one is off by.
            cuts.gap_cents - off.gap_cents as moved_cents,
            late_settled_transaction.transaction_id
        from
            off
            inner join cuts using (settlement_id)
            inner join late_settled_transaction on late_settled_transaction.clock = off.clock
            and late_settled_transaction.terminal_id = off.terminal_id
            and late_settled_transaction.position > off.previous_position
            and late_settled_transaction.position <= cuts.cut_position
            and late_settled_transaction.signed_cents = cuts.gap_cents
        qualify count(*) over (partition by off.settlement_id) = 1
    ),
    tries as (
        select settlement_id, count(*) as tries
        from cuts
        group by settlement_id
    ),
    -- Where the one that holds it is off by more, the net of another may still say that it is there: of the next one together with such a cut.
    lacking as (
        select
            late_settled_transaction.transaction_id, off.settlement_id as from_settlement_id,
            cuts.cut_position as new_cut_position, lacks.settlement_id as to_settlement_id
        from
            off
            inner join cuts using (settlement_id)
            inner join tries using (settlement_id)
            inner join cutoff_difference as lacks on lacks.terminal_id = off.terminal_id
            and lacks.settlement_id <> off.settlement_id
            and (
                cuts.cut_position = off.position
                or (lacks.ordinal = off.ordinal + 1 and tries.tries <= 50)
            )
            inner join late_settled_transaction on late_settled_transaction.clock = off.clock
            and late_settled_transaction.terminal_id = off.terminal_id
            and late_settled_transaction.signed_cents = cuts.gap_cents - off.gap_cents - lacks.gap_cents
            and off.previous_position < late_settled_transaction.position
            and late_settled_transaction.position <= cuts.cut_position
            inner join observed_candidate on observed_candidate.transaction_id = late_settled_transaction.transaction_id
            and observed_candidate.settlement_id = lacks.settlement_id
        where
            off.settlement_id not in (select settlement_id from held)
            and lacks.settlement_id not in (select unnest([earlier_id, later_id]) from pair_shift)
        qualify
            count(*) over (partition by lacks.settlement_id) = 1
            and count(*) over (partition by cuts.settlement_id) = 1
    )
select
    held.transaction_id, held.settlement_id as from_settlement_id,
    held.cut_position as new_cut_position,
    arg_min(settlement_running_net.settlement_id, settlement_running_net.ordinal) as to_settlement_id,
    count(*) as options,
    false as is_tied_there
from
    held
    inner join observed_candidate using (transaction_id)
    inner join settlement_running_net on settlement_running_net.settlement_id = observed_candidate.settlement_id
    and settlement_running_net.terminal_id = held.terminal_id
    and settlement_running_net.ordinal > held.ordinal
    -- One that ties as it is would be off with it: as many would be wrong, for no reason to move anything.
    left join boundary_before_shifts as target on target.settlement_id = observed_candidate.settlement_id
where
    target.running_cents - target.previous_cents - target.sought_cents - case
        when target.ordinal = held.ordinal + 1 then held.moved_cents
        else 0
    end is distinct from 0
group by held.transaction_id, held.settlement_id, held.cut_position
union all
select
    transaction_id, from_settlement_id, new_cut_position, to_settlement_id,
    -- Only one side confirms it: it may be the other way.
    2, true
from lacking
