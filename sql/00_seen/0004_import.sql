-- One row for each file that was imported, with what the person said of it.
create table lake.ops.imported_file (
    sweep_id varchar,
    account varchar,
    list varchar,
    file_sha256 varchar,
    format varchar,
    exported_at timestamp,
    complete_from timestamp,
    earliest timestamp,
    started_at timestamp,
    ended_at timestamp,
    records bigint,
    new_versions bigint,
    quarantined bigint,
    differing bigint,
    older bigint,
    landing_seq bigint
);
