-- finding  SETTLEMENT_REVERSED
-- grain    one row per transaction whose settled flag went from true to false
-- reads    transaction_change
-- rule     R-46: the amount is what was settled; the event stays when the transaction is settled again
-- silent   other changes at the same time (see CHANGED_AFTER_SETTLEMENT)
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    arg_max(terminal_id, version) as terminal_id,
    arg_max(previous_signed_cents, version) as amount_cents,
    'settled, then unsettled seen ' || string_agg(
        instant(observed_at),
        ', '
        order by version
    ) as detail,
    arg_max(created, version) as subject_created,
    max(landing_seq) as event_seq
from transaction_change
where is_reversal
group by transaction_id
