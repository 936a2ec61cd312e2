-- view     quarantine
-- of       records
-- grain    one row per observation of a record that could not be read
-- silent   the other fields of the record, which tieout does not store
-- column   account, name: short name of the account
-- column   list, word: terminals, settlements or transactions
-- column   subjectType, word: settlement, transaction or terminal
-- column   subjectId, text: id of the record; if it has none, the text `sha256:` and the hash of the record
-- column   terminalId, id: terminal of the record
-- column   created, instant: when it was created, where that could be read
-- column   field, text: the field at fault
-- column   reason, text: what is wrong with it
-- column   excerpt, text: the offending field alone, masked
-- column   recordSha256, hash: SHA-256 of the record
-- column   sweepId, name: sweep or import that found it
-- column   observedAt, instant: when it was observed
-- column   landingSeq, sequence: landing number of the observation
select
    account as "account",
    list as "list",
    subject_type as "subjectType",
    subject_id as "subjectId",
    terminal_id as "terminalId",
    created as "created",
    field as "field",
    reason as "reason",
    excerpt as "excerpt",
    record_hash as "recordSha256",
    sweep_id as "sweepId",
    observed_at as "observedAt",
    landing_seq as "landingSeq"
from lake.seen.quarantine
