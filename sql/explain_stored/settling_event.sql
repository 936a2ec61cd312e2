-- model    settling_event
-- grain    one row per event that may turn the settled flag
-- reads    nothing
-- rule     R-05: the event that the run has learned
-- silent   nothing
select event, getvariable('settled_event') in (event, 'either') as is_learned
from (values ('created'), ('completed')) as events (event)
