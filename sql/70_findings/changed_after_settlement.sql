-- finding  CHANGED_AFTER_SETTLEMENT
-- grain    one row per transaction of which an amount, the action, the status or the terminal changed once it was settled
-- reads    transaction_change
-- rule     R-47: the earlier of two observed versions was settled, and for the amount the later one, too; the event stays
-- silent   changes before it was settled; the settled flag itself and the amount that went with it (see SETTLEMENT_REVERSED)
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    arg_max(terminal_id, version) as terminal_id,
    coalesce(
        sum(signed_cents - previous_signed_cents) filter(where not is_reversal),
        0
    )::bigint as amount_cents,
    'changed once settled: ' || string_agg(
        changed_fields || ' seen ' || instant(observed_at),
        '; '
        order by version
    ) as detail,
    arg_max(created, version) as subject_created,
    max(landing_seq) as event_seq
from transaction_change
where changed_fields is not null
group by transaction_id
