-- model    usual_lag
-- grain    at most one row: the usual lag of the explained settlement
-- reads    explained_evidence
-- rule     R-61: the lag that the run has learned from all settlements of the terminal
-- silent   nothing
select settlement_id, clock, lag_s, spread_s
from explained_evidence
where lag_s is not null
