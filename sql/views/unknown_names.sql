-- view     unknown_names
-- of       records
-- grain    one row per sweep and name: of an unknown field or value, or of an empty optional field such as billing=(empty)
-- silent   the values of such fields, which are stored nowhere
select
    account as "account", -- name: short name of the account
    sweep_id as "sweepId", -- name: sweep that found it
    run_id as "runId", -- name: run that the sweep belongs to
    list as "list", -- word: terminals, settlements or transactions
    name as "name", -- text: the name
    records as "records", -- count: records of the sweep that have it
    landing_seq as "landingSeq" -- sequence: landing number at the sweep's end
from lake.ops.unknown_name
