-- What a sweep met beyond the interface as it is known: by name, and in how many of its records.
create table lake.ops.unknown_name (
    sweep_id varchar,
    run_id varchar,
    account varchar,
    list varchar,
    name varchar,
    records bigint,
    landing_seq bigint
);
