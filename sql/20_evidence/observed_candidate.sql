-- view     observed_candidate
-- grain    one row per transaction that was seen to turn settled, and settlement that it may be in by that
-- reads    event_candidate, settling_event
-- rule     R-05: the data show which of the two events turns the flag
-- silent   the other event
select event_candidate.* exclude (event)
from event_candidate inner join settling_event using (event)
where is_learned
