-- model    complete_settlement
-- grain    one row per settlement that is COMPLETE at as_of and whose transactions are known
-- reads    tieout
-- rule     R-27: charges and refunds in it stand there; R-30: nothing is counted in a NO_DATA settlement
-- silent   settlements created after as_of, which do not exist yet
select settlement_id
from tieout
where created <= getvariable('as_of') and status = 'COMPLETE' and verdict <> 'NO_DATA'
