-- model    observed_shift
-- grain    one row per transaction that sweeps saw settle late, and that has to move so that its settlement or another one ties
-- reads    boundary_before_shifts, cutoff_difference, late_settled_transaction, observed_candidate, pair_shift, settlement_running_net, unpaired_cut
-- rule     R-28: it moves to a settlement that its observation allows (R-05), and that does not tie now
-- silent   settlements that more than one such move would make tie, and those of which none cancels the whole difference
with
    -- Shifts out of a settlement: the transaction lies in it by its time, and the settlement ties without the transaction.
    leaving_transaction as (
        select
            unpaired_cut.settlement_id, unpaired_cut.terminal_id, unpaired_cut.ordinal,
            unpaired_cut.new_cut_position,
            -- Another cut-off changes the difference of the next settlement.
            unpaired_cut.moved_cents - unpaired_cut.difference_cents as next_change_cents,
            late_settled_transaction.transaction_id
        from
            unpaired_cut
            inner join late_settled_transaction on late_settled_transaction.clock = unpaired_cut.clock
            and late_settled_transaction.terminal_id = unpaired_cut.terminal_id
            and late_settled_transaction.position > unpaired_cut.previous_position
            and late_settled_transaction.position <= unpaired_cut.new_cut_position
            and late_settled_transaction.signed_cents = unpaired_cut.moved_cents
        qualify count(*) over (partition by unpaired_cut.settlement_id) = 1
    ),
    -- Shifts into a settlement: it ties with the transaction, while the one that holds the transaction by its time does not
    -- tie without it. With the present cut-off any settlement may gain the transaction, and with another cut-off only the
    -- next one.
    joining_transaction as (
        select
            late_settled_transaction.transaction_id,
            unpaired_cut.settlement_id as from_settlement_id, unpaired_cut.new_cut_position,
            lacking.settlement_id as to_settlement_id
        from
            unpaired_cut
            inner join cutoff_difference as lacking on lacking.terminal_id = unpaired_cut.terminal_id
            and lacking.settlement_id <> unpaired_cut.settlement_id
            and (
                unpaired_cut.is_same_cut
                or (lacking.ordinal = unpaired_cut.ordinal + 1 and unpaired_cut.cuts <= 50)
            )
            inner join late_settled_transaction on late_settled_transaction.clock = unpaired_cut.clock
            and late_settled_transaction.terminal_id = unpaired_cut.terminal_id
            and late_settled_transaction.signed_cents = unpaired_cut.moved_cents - unpaired_cut.difference_cents - lacking.difference_cents
            and unpaired_cut.previous_position < late_settled_transaction.position
            and late_settled_transaction.position <= unpaired_cut.new_cut_position
            inner join observed_candidate on observed_candidate.transaction_id = late_settled_transaction.transaction_id
            and observed_candidate.settlement_id = lacking.settlement_id
        where
            unpaired_cut.settlement_id not in (select settlement_id from leaving_transaction)
            and lacking.settlement_id not in (select unnest([earlier_id, later_id]) from pair_shift)
        qualify
            count(*) over (partition by lacking.settlement_id) = 1
            and count(*) over (partition by unpaired_cut.settlement_id) = 1
    )
select
    leaving_transaction.transaction_id, leaving_transaction.settlement_id as from_settlement_id,
    leaving_transaction.new_cut_position,
    arg_min(settlement_running_net.settlement_id, settlement_running_net.ordinal) as to_settlement_id,
    count(*) as options,
    false as is_tied_there
from
    leaving_transaction
    inner join observed_candidate using (transaction_id)
    inner join settlement_running_net on settlement_running_net.settlement_id = observed_candidate.settlement_id
    and settlement_running_net.terminal_id = leaving_transaction.terminal_id
    and settlement_running_net.ordinal > leaving_transaction.ordinal
    -- A settlement that ties now is no target: it would no longer tie, and as many settlements would be wrong as before.
    left join boundary_before_shifts as target on target.settlement_id = observed_candidate.settlement_id
where
    target.running_cents - target.previous_cents - target.remaining_cents - case
        when target.ordinal = leaving_transaction.ordinal + 1 then leaving_transaction.next_change_cents
        else 0
    end is distinct from 0
group by
    leaving_transaction.transaction_id, leaving_transaction.settlement_id,
    leaving_transaction.new_cut_position
union all
select
    transaction_id, from_settlement_id, new_cut_position, to_settlement_id,
    -- Only the settlement that gains the transaction confirms the move. Two options make the certificate AMBIGUOUS.
    2, true
from joining_transaction
