-- view     unattributed_transaction
-- grain    one row per transaction that is in no net, settled or PENDING, with its time by its terminal's clock
-- reads    chosen_clock, current_transaction, pending_member
-- rule     R-08: the clock of its terminal; R-29: what a net may hold though it is not settled
-- silent   nothing: who asks leaves out VERIFY, and what is of no amount
select
    transaction_id, current_transaction.terminal_id, action, signed_cents,
    clock_time (chosen_clock.clock, created, last_modified, null) as clock_at
from
    current_transaction
    left join chosen_clock on chosen_clock.terminal_id = current_transaction.terminal_id
where not settled and transaction_id not in (select transaction_id from pending_member)
