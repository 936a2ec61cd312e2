-- view     presence
-- of       records
-- grain    one row whenever a known record is absent from a complete sweep, or is listed again
-- silent   records that were listed whenever they could be
-- column   account, name: short name of the account
-- column   list, word: terminals, settlements or transactions
-- column   subjectId, id: id of the record
-- column   present, flag: false: absent from this sweep; true: listed again
-- column   sweepId, name: the sweep that shows it
-- column   observedAt, instant: when the sweep ended
-- column   landingSeq, sequence: landing number of the observation
select
    account as "account",
    list as "list",
    subject_id as "subjectId",
    present as "present",
    sweep_id as "sweepId",
    observed_at as "observedAt",
    landing_seq as "landingSeq"
from lake.seen.presence
