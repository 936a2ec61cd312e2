-- model    last_landing
-- grain    one row: the time of the service's clock at the newest landing; empty before the first
-- reads    ops_landing
-- rule     R-02: landing numbers decide what is newest, because the clock may once have run ahead
-- silent   nothing
select arg_max(observed_at, landing_seq) as observed_at
from ops_landing
