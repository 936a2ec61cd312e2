-- What the service was seen to say, append-only: one row for each version that differed from the one before.
-- landing_seq is the fence's number at the commit; knowledge "as of" a number is every row at or below it.
create schema if not exists lake.seen;

create schema if not exists lake.ops;

create table lake.seen.transaction_version (
    account varchar,
    transaction_id bigint,
    terminal_id bigint,
    action varchar,
    status varchar,
    approved boolean,
    settled boolean,
    explicit_settlement_id bigint,
    created timestamp,
    last_modified timestamp,
    base_cents bigint,
    tax_cents bigint,
    shipping_cents bigint,
    tip_cents bigint,
    surcharge_cents bigint,
    total_cents bigint,
    ach_type varchar,
    method varchar,
    surcharge_percentage decimal(9, 4),
    surcharge_status varchar,
    invoice_number varchar,
    purchase_order_number varchar,
    response_code varchar,
    vault_type varchar,
    account_type varchar,
    last_four varchar,
    billing_key ubigint,
    content_hash ubigint,
    sweep_id varchar,
    ordinal bigint,
    observed_at timestamp,
    landing_seq bigint
);

alter table lake.seen.transaction_version
set partitioned by (year(created), month(created));

create table lake.seen.settlement_version (
    account varchar,
    settlement_id bigint,
    terminal_id bigint,
    created timestamp,
    status varchar,
    net_cents bigint,
    net_noise boolean,
    content_hash ubigint,
    sweep_id varchar,
    ordinal bigint,
    observed_at timestamp,
    landing_seq bigint
);

alter table lake.seen.settlement_version
set partitioned by (year(created), month(created));

create table lake.seen.terminal_version (
    account varchar,
    terminal_id bigint,
    nick_name varchar,
    type varchar,
    enabled boolean,
    account_uuid varchar,
    company_dba varchar,
    merchant_number varchar,
    surcharge_enabled boolean,
    surcharge_percentage decimal(9, 4),
    surcharge_taxable boolean,
    acceptance varchar,
    content_hash ubigint,
    sweep_id varchar,
    ordinal bigint,
    observed_at timestamp,
    landing_seq bigint
);

-- Records that could not be read: never the record, only the field at fault, masked.
create table lake.seen.quarantine (
    account varchar,
    list varchar,
    subject_type varchar,
    subject_id varchar,
    terminal_id bigint,
    created timestamp,
    field varchar,
    reason varchar,
    excerpt varchar,
    record_hash varchar,
    sweep_id varchar,
    ordinal bigint,
    observed_at timestamp,
    landing_seq bigint
);

-- One row whenever a record that was known is absent from a finished sweep, or is back again.
create table lake.seen.presence (
    account varchar,
    list varchar,
    subject_id bigint,
    present boolean,
    sweep_id varchar,
    observed_at timestamp,
    landing_seq bigint
);

-- Every landing raises the fence in its own transaction, so two writers can never both land the same batch.
create table lake.ops.fence (n bigint);

insert into lake.ops.fence
values (0);

-- The same for what runs store, which is no new knowledge and must not raise its number.
create table lake.ops.run_fence (n bigint);

insert into lake.ops.run_fence
values (0);

create table lake.ops.landing (
    landing_seq bigint,
    account varchar,
    sweep_id varchar,
    batch bigint,
    records bigint,
    new_versions bigint,
    quarantined bigint,
    observed_at timestamp,
    state varchar
);

create table lake.ops.landed_page (
    sweep_id varchar,
    batch bigint,
    page_offset bigint,
    asked bigint,
    records bigint,
    first_id varchar,
    last_id varchar,
    body_sha256 varchar,
    landing_seq bigint
);

-- Which records a sweep in progress has met; emptied when the sweep ends.
create table lake.ops.sighting (account varchar, list varchar, sweep_id varchar, subject_id bigint);

create table lake.ops.sweep (
    sweep_id varchar,
    run_id varchar,
    account varchar,
    list varchar,
    terminal_id bigint,
    started_seq bigint,
    covers_from timestamp,
    started_at timestamp,
    ended_at timestamp,
    pages bigint,
    records bigint,
    new_versions bigint,
    quarantined bigint,
    rewinds bigint,
    requests bigint,
    throttled bigint,
    certificate varchar,
    bodies_sha256 varchar,
    landing_seq bigint
);

create table lake.ops.run (
    run_id varchar,
    account varchar,
    window_from date,
    window_to date,
    as_of timestamp,
    known_at bigint,
    config_hash varchar,
    parameters varchar,
    code_version varchar,
    headline varchar,
    recorded_at timestamp
);

-- The first time that an exception was found, by the knowledge it was found from.
create table lake.ops.exception_seen (
    account varchar,
    exception_id varchar,
    code varchar,
    subject_type varchar,
    subject_id varchar,
    first_seen timestamp,
    known_at bigint,
    run_id varchar
);
