-- model    delisted_record
-- grain    one row per list and record that the newest sweep that covers it did not list, with the landing of that sweep
-- reads    seen_presence
-- rule     R-48: the sweep did not list the record, whatever its certificate
-- silent   sweeps that landed after known_at
select list, subject_id, max(landing_seq) as gone_seq
from seen_presence
group by list, subject_id
having not arg_max(present, landing_seq)
