-- view     presence
-- of       records
-- grain    one row whenever a known record is absent from a sweep that could list it, or is listed again
-- silent   records that were listed whenever they could be
select
    account as "account", -- name: short name of the account
    list as "list", -- word: terminals, settlements or transactions
    subject_id as "subjectId", -- id: id of the record
    present as "present", -- flag: false: absent from this sweep; true: listed again
    sweep_id as "sweepId", -- name: the sweep that shows it
    observed_at as "observedAt", -- instant: when the sweep ended
    landing_seq as "landingSeq" -- sequence: landing number of the observation
from lake.seen.presence
