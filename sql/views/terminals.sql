-- view     terminals
-- of       records
-- grain    one row per terminal that the service lists: its newest observed version
-- silent   terminals that only transactions name
-- like     terminal_versions, up to acceptance
with
    newest as (
        select *, min("observedAt") over record as first_seen
        from terminal_versions
        window
            record as (
                partition by "account", "terminalId"
            )
        qualify "version" = max("version") over record
    ),
    gone as (
        select account, subject_id, not arg_max(present, landing_seq) as is_absent
        from lake.seen.presence
        where list = 'terminals'
        group by account, subject_id
    )
select
    newest.* exclude ("version", "observedAt", "sweepId", "landingSeq", first_seen),
    newest."version" as "versions", -- count: how many differing versions were observed
    first_seen as "firstSeen", -- instant: when the first version was observed
    newest."observedAt" as "lastChanged", -- instant: when the newest differing version was observed
    not coalesce(is_absent, false) as "listed" -- flag: false where the newest sweep that could list it did not
from
    newest
    left join gone on gone.account = newest."account"
    and gone.subject_id = newest."terminalId"
