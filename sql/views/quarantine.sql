-- view     quarantine
-- of       records
-- grain    one row per observation of a record that could not be read
-- silent   the other fields of the record, which tieout does not store
select
    account as "account", -- name: short name of the account
    list as "list", -- word: terminals, settlements or transactions
    subject_type as "subjectType", -- word: settlement, transaction or terminal
    subject_id as "subjectId", -- text: id of the record; if it has none, the text `sha256:` and the hash of the record
    terminal_id as "terminalId", -- id: terminal of the record
    created as "created", -- instant: when it was created, where that could be read
    field as "field", -- text: the field at fault
    reason as "reason", -- text: what is wrong with it
    excerpt as "excerpt", -- text: the offending field alone, masked
    record_hash as "recordSha256", -- hash: SHA-256 of the record
    sweep_id as "sweepId", -- name: sweep or import that found it
    observed_at as "observedAt", -- instant: when it was observed
    landing_seq as "landingSeq" -- sequence: landing number of the observation
from lake.seen.quarantine
