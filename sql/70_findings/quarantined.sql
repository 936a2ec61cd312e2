-- finding  QUARANTINED
-- grain    one row per record that can't be read
-- reads    current_quarantine
-- rule     R-20: set aside with the field and the reason, never dropped
-- silent   records that a later landing read well
select
    subject_type, subject_id, terminal_id,
    null::bigint as amount_cents,
    concat_ws(': ', 'field ' || field, reason) as detail,
    created as subject_created
from current_quarantine
