-- Each run that looked for exceptions with all that was known then; a later run counts up to the scan that its parameters name.
create table lake.ops.exception_scan (
    scan_seq bigint,
    account varchar,
    run_id varchar,
    known_at bigint,
    known_time timestamp,
    as_of timestamp,
    audit_seq bigint
);

-- What such a run found otherwise than the one before it: an exception that is new, back or of another amount, or one that is gone.
create table lake.ops.exception_event (
    scan_seq bigint,
    account varchar,
    event varchar,
    exception_id varchar,
    code varchar,
    severity varchar,
    certainty varchar,
    subject_type varchar,
    subject_id varchar,
    terminal_id bigint,
    amount_cents bigint,
    detail varchar,
    subject_created timestamp
);
