-- What the newest run of an account leaves for the next one, which computes again only what something new can change.
-- Disposable: without these rows a run computes everything.
create schema if not exists lake.carried;

create table lake.carried.carry (
    run_id varchar,
    account varchar,
    known_at bigint,
    fingerprint varchar,
    runs_since_whole bigint
);

create table lake.carried.refund_at_risk (
    account varchar,
    transaction_id bigint,
    terminal_id bigint,
    created timestamp,
    window_start timestamp,
    coarse_key ubigint,
    fine_key ubigint,
    refund_cents bigint,
    charged_fine_cents bigint,
    refunded_in_window_cents bigint,
    refunded_before_cents bigint
);

create table lake.carried.charged_coarse (
    account varchar,
    transaction_id bigint,
    coarse_key ubigint,
    created timestamp,
    charged_coarse_cents bigint
);

create table lake.carried.duplicate_charge (
    account varchar,
    subject_type varchar,
    subject_id varchar,
    terminal_id bigint,
    amount_cents bigint,
    certainty varchar,
    detail varchar,
    subject_created timestamp,
    fine_key ubigint
);
