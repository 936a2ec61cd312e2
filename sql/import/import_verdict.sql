-- model    import_verdict
-- grain    one row per record of the file that differs from the version before it, in the file or in the lake
-- reads    import_key, lake.ops.limited_sweep, lake.ops.sweep, lake.seen.quarantine, listed_version
-- rule     R-59: `differing`, if the lake or an earlier line has other content; `older`, if the lake knows something newer than the export
-- silent   records that repeat the version before them. $1 is the account, $2 the list, $3 the instant of the export
with
    bounds as (
        select min(id) as low, max(id) as high
        from import_key
    ),
    newest as (
        select
            id,
            arg_max(content_hash, (landing_seq, ordinal)) as content_hash,
            arg_max(observed_at, (landing_seq, ordinal)) as observed_at,
            max(landing_seq) as landing_seq
        from listed_version
        where account = $1 and id between (select low from bounds) and (select high from bounds)
        group by id
    ),
    refused as (
        select
            try_cast(subject_id as bigint) as id,
            max(landing_seq) as landing_seq,
            max(observed_at) as observed_at
        from lake.seen.quarantine
        where account = $1 and list = $2
        group by 1
    ),
    known as (
        select
            id, newest.content_hash,
            newest.id is not null as has_version,
            coalesce(refused.landing_seq > newest.landing_seq, true)
            and refused.id is not null as is_refused,
            greatest(newest.observed_at, refused.observed_at) as observed_at
        from newest full join refused using (id)
    ),
    compare_by_hash as (
        select
            import_key.id, import_key.terminal_id, import_key.ordinal, import_key.created,
            import_key.content_hash,
            lag(import_key.content_hash) over (
                partition by import_key.id
                order by import_key.ordinal
            ) as line_hash,
            coalesce(
                line_hash,
                case when not known.is_refused then known.content_hash end
            ) as before_hash,
            coalesce(
                line_hash <> import_key.content_hash,
                known.has_version
                and known.content_hash <> import_key.content_hash,
                false
            ) as differing,
            known.id is not null as is_known,
            known.observed_at
        from import_key left join known using (id)
    ),
    news as (
        select *
        from compare_by_hash
        where before_hash is distinct from content_hash
    ),
    later_sweep as (
        select coalesce(limited_sweep.terminal_id, sweep.terminal_id) as terminal_id, covers_from
        from lake.ops.sweep left join lake.ops.limited_sweep using (account, sweep_id)
        where
            account = $1
            and list = $2
            and certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and started_at > $3::timestamp
    ),
    outdated as (
        select ordinal
        from news
        where
            is_known
            and (
                observed_at > $3::timestamp
                or exists (
                    select 1
                    from later_sweep
                    where
                        coalesce(later_sweep.terminal_id = news.terminal_id, true)
                        and coalesce(later_sweep.covers_from < news.created, true)
                )
            )
    )
select ordinal, id, differing, ordinal in (select ordinal from outdated) as older
from news
