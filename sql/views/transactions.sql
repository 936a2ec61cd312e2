-- view     transactions
-- of       records
-- grain    one row per transaction: its newest observed version
-- silent   older versions (transaction_versions); records that could not be read (quarantine)
-- like     transaction_versions, up to lastFour
with
    newest as (
        select *, min("observedAt") over record as first_seen
        from transaction_versions
        window
            record as (
                partition by "account", "transactionId"
            )
        qualify "version" = max("version") over record
    ),
    gone as (
        select account, subject_id, not arg_max(present, landing_seq) as is_absent
        from lake.seen.presence
        where list = 'transactions'
        group by account, subject_id
    )
select
    newest.* exclude ("version", "observedAt", "sweepId", "landingSeq", first_seen),
    newest."version" as "versions", -- count: how many differing versions were observed
    first_seen as "firstSeen", -- instant: when the first version was observed
    newest."observedAt" as "lastChanged", -- instant: when the newest differing version was observed
    not coalesce(is_absent, false) as "listed", -- flag: false where the newest sweep that could list it did not
    newest."landingSeq" as "landingSeq" -- sequence: landing number of the newest version
from
    newest
    left join gone on gone.account = newest."account"
    and gone.subject_id = newest."transactionId"
