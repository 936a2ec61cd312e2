-- finding  MISSED_BY_SWEEP
-- grain    one row per settlement or transaction that a whole certified sweep was the first to see, though an earlier certified sweep covers it
-- reads    missed_record
-- rule     R-56: the earlier sweep began when the record existed, and did not list it; the exception stays
-- silent   records created after the earlier sweep began, and records that it listed but could not read
select
    case list
        when 'settlements' then 'settlement'
        else 'transaction'
    end as subject_type,
    subject_id::varchar as subject_id,
    terminal_id, amount_cents,
    'first seen ' || instant(observed_at) || '; not listed by the sweep that began ' || instant(missed_at) || ', ' || elapsed ((epoch_us(missed_at) - epoch_us(created)) // 1000000) || ' after it was created' || case
        when sweep_count = 1 then ''
        else ', nor by ' || (sweep_count - 1)::varchar || ' more'
    end as detail, created as subject_created, landing_seq as event_seq
from missed_record
