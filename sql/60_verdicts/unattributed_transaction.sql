-- view     unattributed_transaction
-- grain    one row per transaction that is in no net, settled or PENDING, with its time by its terminal's clock
-- reads    chosen_clock, current_transaction, pending_member
-- rule     R-08: the clock of its terminal; R-29: transactions that a reported net may include though they are not settled
-- silent   nothing; readers leave out VERIFY and amounts of zero
select
    transaction_id, current_transaction.terminal_id, action, signed_cents,
    clock_time (chosen_clock.clock, created, last_modified, null) as clock_at
from
    current_transaction
    left join chosen_clock on chosen_clock.terminal_id = current_transaction.terminal_id
where not settled and transaction_id not in (select transaction_id from pending_member)
