-- view     publications
-- of       records
-- grain    one row per pack that was published
-- silent   runs whose pack was withheld; runs has them
-- column   account, name: short name of the account
-- column   runId, name: id of the run
-- column   rangeFrom, date: first business date of the range
-- column   rangeTo, date: business date after the last of the range
-- column   certificate, word: the weakest certificate of the sweeps that it rests on; empty for a pack from before it was recorded here
-- column   publishedAt, instant: when its folder was there
select
    account as "account",
    run_id as "runId",
    window_from as "rangeFrom",
    window_to as "rangeTo",
    certificate as "certificate",
    published_at as "publishedAt"
from lake.ops.publication
