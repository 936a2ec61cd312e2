-- What people decided: append-only. Each act holds the hash of the one before it, so that none can be changed or left out unseen.
create table lake.ops.audit (
    seq bigint,
    account varchar,
    acted_at varchar,
    actor varchar,
    action varchar,
    subject varchar,
    reason varchar,
    detail varchar,
    previous_sha256 varchar,
    sha256 varchar
);

-- Every act raises it in its own transaction: of two acts at the same time one starts again and sees the other.
create table lake.ops.audit_fence (n bigint);

insert into lake.ops.audit_fence
values (0);

-- What the program files of a run's pack hold: the lines of its range that no approved pack had held by then.
create table lake.result.export (
    run_id varchar,
    entry_id varchar,
    origin_id varchar,
    entry_date date,
    account_key varchar,
    ledger_account varchar,
    account_name varchar,
    amount_cents bigint,
    memo varchar,
    settlement_id bigint,
    terminal_id bigint,
    source varchar
);

-- Lines of approved packs. They never change; what differs from them later is posted beside them.
create table lake.ops.exported_line (
    audit_seq bigint,
    account varchar,
    known_at bigint,
    as_of timestamp,
    entry_id varchar,
    origin_id varchar,
    entry_date date,
    account_key varchar,
    ledger_account varchar,
    account_name varchar,
    amount_cents bigint,
    memo varchar,
    settlement_id bigint,
    terminal_id bigint,
    source varchar
);
