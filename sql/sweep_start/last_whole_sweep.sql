-- model    last_whole_sweep
-- grain    at most one row: the last certified sweep of all that is needed, which is the whole list without a range
-- reads    certified_transaction_sweep, requested_since
-- rule     R-31: a certificate says how complete the reading of a list was
-- silent   nothing
select sweep_id, landing_seq, ended_at
from certified_transaction_sweep
where covers_from is null or covers_from < (select since from requested_since)
order by landing_seq desc
limit 1
