-- view     unknown_names
-- of       records
-- grain    one row per sweep and name: of an unknown field or value, or of an empty optional field such as billing=(empty)
-- silent   the values of such fields, which are stored nowhere
-- column   account, name: short name of the account
-- column   sweepId, name: sweep that found it
-- column   runId, name: run that the sweep belongs to
-- column   list, word: terminals, settlements or transactions
-- column   name, text: the name
-- column   records, count: records of the sweep that have it
-- column   landingSeq, sequence: landing number at the sweep's end
select
    account as "account",
    sweep_id as "sweepId",
    run_id as "runId",
    list as "list",
    name as "name",
    records as "records",
    landing_seq as "landingSeq"
from lake.ops.unknown_name
