-- finding  TRANSACTION_DISAPPEARED
-- grain    one row per transaction that certified sweeps did not list any more
-- reads    current_transaction, proven_absence
-- rule     R-48: the amount is the transaction's last effect on the net, zero if it was not settled; the event stays when it is listed again
-- silent   transactions that only a sweep of certificate BEST_EFFORT missed
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id,
    case when settled then signed_cents else 0 end as amount_cents,
    case
        when not settled then 'not settled, total ' || money(total_cents) || '; '
        else ''
    end || string_agg(
        concat_ws(
            ', ',
            'absent from the sweep that ended ' || instant(absent_at),
            'listed again by the one that ended ' || instant(back_at)
        ),
        '; '
        order by absent_at
    ) as detail,
    created as subject_created,
    max(absent_seq) as event_seq
from proven_absence inner join current_transaction on transaction_id = subject_id
where list = 'transactions'
group by transaction_id, terminal_id, settled, signed_cents, total_cents, created
