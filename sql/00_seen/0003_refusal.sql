-- One row whenever the service refuses this credential a list of one terminal, or answers it again.
create table lake.seen.refusal (
    account varchar,
    list varchar,
    terminal_id bigint,
    refused boolean,
    http_status integer,
    parameter varchar,
    sweep_id varchar,
    observed_at timestamp,
    landing_seq bigint
);
