-- view     audit_trail
-- of       records
-- grain    one row per act of a person, in a chain of hashes over all accounts
-- silent   nothing
select
    account as "account", -- name: short name of the account
    seq as "seq", -- sequence: number of the act
    acted_at::timestamp as "actedAt", -- instant: when
    actor as "actor", -- text: who
    action as "action", -- word: pack.approve, pack.refuse, period.close, period.reopen, exception.waive and their like
    subject as "subject", -- text: the run, the period, the exception or the transaction
    reason as "reason", -- text: why
    detail as "detail", -- json: further facts
    previous_sha256 as "previousSha256", -- hash: hash of the act before
    sha256 as "sha256" -- hash: hash of this act and the one before
from lake.ops.audit
