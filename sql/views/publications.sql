-- view     publications
-- of       records
-- grain    one row per pack that was published
-- silent   runs whose pack was withheld; runs has them
select
    account as "account", -- name: short name of the account
    run_id as "runId", -- name: id of the run
    window_from as "rangeFrom", -- date: first business date of the range
    window_to as "rangeTo", -- date: business date after the last of the range
    certificate as "certificate", -- word: the weakest certificate of the sweeps that it rests on
    published_at as "publishedAt" -- instant: when its folder was there
from lake.ops.publication
