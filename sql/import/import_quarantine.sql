-- model    import_quarantine
-- grain    one row per record of the file that can't be read, and that no version since the export shows to be read well
-- reads    import_reject, lake.seen.quarantine, listed_version
-- rule     R-20: a record is quarantined again only if it or the judgement changed, or if it was read well in between
-- silent   records quarantined before in the same way. Parameters: $1 account, $2 list, $3 import, $4 instant of the export, $5 landing, $6 version of the schemas
with
    newest as (
        select
            subject_id,
            arg_max((record_hash, schema_version), (landing_seq, ordinal)) as judgement,
            max(landing_seq) as landing_seq
        from lake.seen.quarantine
        where account = $1 and list = $2
        group by subject_id
    ),
    read_between as (
        select subject_id
        from
            newest
            inner join listed_version on listed_version.id = try_cast(subject_id as bigint)
            and listed_version.landing_seq > newest.landing_seq
        where listed_version.account = $1 and subject_id in (select subject_id from import_reject)
    ),
    read_since as (
        select distinct id::varchar as subject_id
        from listed_version
        where
            account = $1
            and observed_at > $4::timestamp
            and id in (select try_cast(subject_id as bigint) from import_reject)
    )
select
    $1,
    $2,
    subject_type, import_reject.subject_id,
    try_cast(terminal_id as bigint),
    try_cast(created as timestamp),
    field, reason, excerpt, record_sha256,
    $3,
    ordinal,
    $4::timestamp,
    $5,
    $6::integer
from import_reject left join newest using (subject_id)
where
    (
        newest.judgement is distinct from (record_sha256, $6::integer)
        or subject_id in (select subject_id from read_between)
    )
    and subject_id not in (select subject_id from read_since)
qualify
    row_number() over (partition by import_reject.subject_id, record_sha256 order by ordinal) = 1
