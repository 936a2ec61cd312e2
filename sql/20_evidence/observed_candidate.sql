-- view     observed_candidate
-- grain    one row per transaction that was seen to become settled, and settlement that it may then be in
-- reads    event_candidate, settling_event
-- rule     R-05: the data show which of the two events sets the flag
-- silent   candidates by the event that R-05 did not choose
select event_candidate.* exclude (event)
from event_candidate inner join settling_event using (event)
where is_learned
