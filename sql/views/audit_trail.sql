-- view     audit_trail
-- of       records
-- grain    one row per act of a person, in a chain of hashes over all accounts
-- silent   nothing
-- column   account, name: short name of the account
-- column   seq, sequence: number of the act
-- column   actedAt, instant: when
-- column   actor, text: who
-- column   action, word: pack.approve, pack.refuse, period.close, period.reopen, exception.waive and their like
-- column   subject, text: the run, the period, the exception or the transaction
-- column   reason, text: why
-- column   detail, json: further facts
-- column   previousSha256, hash: hash of the act before
-- column   sha256, hash: hash of this act and the one before
select
    account as "account",
    seq as "seq",
    acted_at::timestamp as "actedAt",
    actor as "actor",
    action as "action",
    subject as "subject",
    reason as "reason",
    detail as "detail",
    previous_sha256 as "previousSha256",
    sha256 as "sha256"
from lake.ops.audit
