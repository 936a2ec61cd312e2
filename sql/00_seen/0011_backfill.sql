-- What became of each backfill, by whom and why: append-only. Its readings are sweeps, and its chunks are runs.
create table lake.ops.backfill_event (
    backfill_id varchar,
    account varchar,
    event varchar,
    window_from date,
    window_to date,
    actor varchar,
    reason varchar,
    code_version varchar,
    detail varchar,
    occurred_at timestamp
);
