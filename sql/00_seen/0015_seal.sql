-- What a whole run leaves so that the nights after it need not read its quiet past: see docs/decisions/0025-sealed-terminals.md.
-- Disposable: without these rows a run computes everything.
create table lake.carried.seal (
    run_id varchar,
    account varchar,
    known_at bigint,
    audit_seq bigint,
    fingerprint varchar,
    as_of timestamp,
    window_from timestamp,
    learned_event varchar,
    seen_until timestamp
);

create table lake.carried.sealed_terminal (account varchar, terminal_id bigint);

-- Settlements of sealed terminals from before the seal, as models saw them: where one is seen otherwise its terminal is unsealed.
create table lake.carried.sealed_settlement (
    account varchar,
    terminal_id bigint,
    settlement_id bigint,
    ordinal bigint,
    sought_cents bigint,
    clock varchar,
    previous_position bigint,
    position bigint,
    cut_cents bigint,
    cut_instant timestamp,
    is_quiet boolean
);

-- Sums that stand for quiet transactions.
create table lake.carried.quiet_member (
    account varchar,
    terminal_id bigint,
    settlement_id bigint,
    action varchar,
    method varchar,
    item_count bigint,
    signed_cents bigint,
    created timestamp
);

create table lake.carried.quiet_day (
    account varchar,
    terminal_id bigint,
    business_date date,
    action varchar,
    item_count bigint,
    signed_cents bigint,
    base_cents bigint,
    tax_cents bigint,
    shipping_cents bigint,
    tip_cents bigint,
    surcharge_cents bigint
);

create table lake.carried.quiet_flip (
    account varchar,
    terminal_id bigint,
    event varchar,
    settlement_id bigint,
    item_count bigint,
    signed_cents bigint
);

-- Quiet transactions on cards, of which models of cards ask.
create table lake.carried.quiet_card (
    account varchar,
    terminal_id bigint,
    transaction_id bigint,
    created timestamp,
    action varchar,
    status varchar,
    approved boolean,
    total_cents bigint,
    invoice_number varchar,
    coarse_key ubigint,
    fine_key ubigint
);

-- Of what is old but not quiet: every version, its place in time order, and where settlements may end.
create table lake.carried.kept_version as
from lake.seen.transaction_version
limit 0;

create table lake.carried.kept_place (
    account varchar,
    clock varchar,
    terminal_id bigint,
    transaction_id bigint,
    clock_at timestamp,
    position bigint,
    next_at timestamp,
    running_cents bigint,
    signed_cents bigint
);

create table lake.carried.kept_candidate (
    account varchar,
    clock varchar,
    settlement_id bigint,
    terminal_id bigint,
    ordinal bigint,
    position bigint,
    transactions_cents bigint,
    offset_cents bigint,
    clock_at timestamp,
    lag_low_s double,
    lag_high_s double
);

-- How many transactions lie before the seal, and their sum.
create table lake.carried.opening (
    account varchar,
    clock varchar,
    terminal_id bigint,
    position bigint,
    running_cents bigint
);
