-- The tables of a lake. After the first release this file stays as it is. Each later change of the schema is a file of its own
-- with the next number, such as 0002_what_changes.sql. Such a file is applied once to every lake (docs/decisions/0034).
create schema if not exists lake.seen;

create schema if not exists lake.ops;

create schema if not exists lake.result;

-- Versions of the service's records. Rows are only added: one for each version that differs from the one before. landing_seq
-- is the number of the landing. Knowledge as of a number is every row at or below it.
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

-- Faults of records that can't be read: never the record itself, only the field at fault, masked. The column
-- schema_version is the version of the record schemas that refused it.
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
    landing_seq bigint,
    schema_version integer
);

-- A row is added whenever a known record is absent from a finished sweep, or is back again.
create table lake.seen.presence (
    account varchar,
    list varchar,
    subject_id bigint,
    present boolean,
    sweep_id varchar,
    observed_at timestamp,
    landing_seq bigint
);

-- A row is added whenever the service starts or stops refusing this credential the list of one terminal.
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

-- Every landing raises the fence in its own transaction, so two writers can never both land the same batch.
create table lake.ops.fence (n bigint);

insert into lake.ops.fence
values (0);

-- The same for results: stored runs, packs and events of backfills. None of them is new knowledge, which would need a
-- landing number.
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

-- The records that a sweep in progress has listed so far. The sweep's end empties it.
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

-- The terminals whose records a sweep of a whole list landed, if the account is limited to some. The sweep proves nothing about
-- others.
create table lake.ops.limited_sweep (account varchar, sweep_id varchar, terminal_id bigint, landing_seq bigint);

-- Names that a sweep found beyond the known interface, with the number of its records that have them.
create table lake.ops.unknown_name (
    sweep_id varchar,
    run_id varchar,
    account varchar,
    list varchar,
    name varchar,
    records bigint,
    landing_seq bigint
);

-- Imported files, with the statements of the person who imported them.
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

-- Stored runs. settled_event is the event that turns the settled flag, as the run learned it: created, completed, either or none.
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
    recorded_at timestamp,
    settled_event varchar
);

-- Packs that were published. Each is recorded once its folder bears its name: a run whose pack was withheld is not here.
-- The packs of an account have their numbers in the order of their records.
create table lake.ops.publication (
    run_id varchar,
    account varchar,
    window_from date,
    window_to date,
    certificate varchar,
    published_at timestamp,
    publication_seq bigint,
    is_backfill boolean,
    manifest_sha256 varchar
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

-- Runs that looked for exceptions with all that was known then. A later run counts up to the scan that its parameters name.
create table lake.ops.exception_scan (
    scan_seq bigint,
    account varchar,
    run_id varchar,
    known_at bigint,
    known_time timestamp,
    as_of timestamp,
    audit_seq bigint
);

-- Differences between such a run and the one before it: an exception that is new, back, of another amount or gone, or that
-- happened again. The column event_seq is the landing of its newest event, and null if its code records a state.
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
    subject_created timestamp,
    event_seq bigint
);

-- Acts of people. Each holds the hash of the act before it, so that none can be changed or left out unseen.
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

-- The key that hashed an account's billing identities, by its id.
create table lake.ops.hash_key (account varchar, key_id varchar);

-- The card key in packs, of each card that was refunded before the account's hash key was rotated. Packs go on showing it
-- beside the rotated hash (docs/decisions/0048-a-hash-key-is-rotated-in-a-chain.md).
create table lake.ops.card_key (
    account varchar,
    account_type varchar,
    last_four varchar,
    billing_key ubigint,
    card_key varchar
);

-- Every act raises it in its own transaction: of two acts at the same time one starts again and sees the other.
create table lake.ops.audit_fence (n bigint);

insert into lake.ops.audit_fence
values (0);

-- Lines of approved packs. They never change; a later difference is posted beside them.
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

-- Events of each backfill: what happened, by whom and why. Its readings are sweeps, and its chunks are runs.
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

-- The rows of a run's pack, in the order of its files. They are text, so that publishing adds nothing to them.
create table lake.result.settlements (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "settlementId" varchar,
    "terminalId" varchar,
    "terminalName" varchar,
    "created" varchar,
    "businessDate" varchar,
    "status" varchar,
    "reportedNet" varchar,
    "computedNet" varchar,
    "difference" varchar,
    "verdict" varchar,
    "method" varchar,
    "certificate" varchar,
    "transactionCount" varchar,
    "chargeCount" varchar,
    "chargeTotal" varchar,
    "refundCount" varchar,
    "refundTotal" varchar,
    "cutoff" varchar,
    "explanation" varchar,
    "explainedAmount" varchar,
    "unexplainedAmount" varchar,
    "explainedBy" varchar,
    "firstSeen" varchar,
    "lastChanged" varchar
);

-- Most rows of a pack are these: numbers and instants take half the space of texts. A settlement's rows are written once;

-- each later run names in attribution_source the run that wrote them.
create table lake.result.attributions (
    run_id varchar,
    "account" varchar,
    "transactionId" bigint,
    "settlementId" bigint,
    "terminalId" bigint,
    "created" timestamp,
    "action" varchar,
    "status" varchar,
    "amountTotal" decimal(18, 2),
    "signedAmount" decimal(18, 2),
    "method" varchar
);

create table lake.result.attribution_source (run_id varchar, settlement_id bigint, source_run_id varchar, print ubigint);

create table lake.result.exceptions (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "exceptionId" varchar,
    "code" varchar,
    "severity" varchar,
    "certainty" varchar,
    "subjectType" varchar,
    "subjectId" varchar,
    "terminalId" varchar,
    "amount" varchar,
    "detail" varchar,
    "firstSeen" varchar,
    "lastSeen" varchar,
    "ageDays" varchar,
    "state" varchar,
    "stateBy" varchar,
    "stateReason" varchar,
    "assignee" varchar
);

create table lake.result.worklist (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "rank" varchar,
    "subjectType" varchar,
    "subjectId" varchar,
    "terminalId" varchar,
    "terminalName" varchar,
    "amount" varchar,
    "since" varchar,
    "ageDays" varchar,
    "certainty" varchar,
    "cause" varchar,
    "askWhom" varchar,
    "nextStep" varchar,
    "assignee" varchar,
    "exceptionIds" varchar
);

create table lake.result.pending (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "settlementId" varchar,
    "terminalId" varchar,
    "created" varchar,
    "observedAt" varchar,
    "status" varchar,
    "reportedNet" varchar,
    "change" varchar,
    "hoursPending" varchar
);

create table lake.result.refund_ceiling (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "transactionId" varchar,
    "terminalId" varchar,
    "created" varchar,
    "cardKey" varchar,
    "refundAmount" varchar,
    "chargedCoarse" varchar,
    "chargedFine" varchar,
    "refundedBefore" varchar,
    "certainty" varchar,
    "historyFrom" varchar
);

create table lake.result.unsettled (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "transactionId" varchar,
    "terminalId" varchar,
    "created" varchar,
    "action" varchar,
    "status" varchar,
    "amountTotal" varchar,
    "signedAmount" varchar,
    "ageDays" varchar,
    "bucket" varchar,
    "lastObserved" varchar
);

create table lake.result.rollforward (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "terminalId" varchar,
    "date" varchar,
    "openingUnsettled" varchar,
    "charges" varchar,
    "refunds" varchar,
    "voids" varchar,
    "settled" varchar,
    "closingUnsettled" varchar
);

create table lake.result.control_totals (
    run_id varchar,
    row_no bigint,
    "check" varchar,
    "expected" varchar,
    "actual" varchar,
    "difference" varchar,
    "pass" varchar
);

create table lake.result.sweeps (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "list" varchar,
    "terminalId" varchar,
    "startedAt" varchar,
    "endedAt" varchar,
    "pages" varchar,
    "records" varchar,
    "newVersions" varchar,
    "quarantined" varchar,
    "rewinds" varchar,
    "requests" varchar,
    "throttled" varchar,
    "certificate" varchar,
    "bodiesSha256" varchar
);

create table lake.result.journal (
    run_id varchar,
    row_no bigint,
    "entryId" varchar,
    "date" varchar,
    "period" varchar,
    "account" varchar,
    "accountName" varchar,
    "debit" varchar,
    "credit" varchar,
    "currency" varchar,
    "memo" varchar,
    "settlementId" varchar,
    "terminalId" varchar,
    "source" varchar
);

-- The entries of those lines as the accounting programs import them.
create table lake.result.gathered (
    run_id varchar,
    row_no bigint,
    "entryId" varchar,
    "date" varchar,
    "period" varchar,
    "account" varchar,
    "accountName" varchar,
    "debit" varchar,
    "credit" varchar,
    "currency" varchar,
    "memo" varchar,
    "settlementId" varchar,
    "terminalId" varchar,
    "source" varchar
);

-- Lines of the range that were in no approved pack when the run ended: the program files of its pack.
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

-- The evidence that explains one settlement without a new run
-- (docs/decisions/0028-one-settlement-from-what-its-run-has-stored.md).
-- A settlement without its row is explained by computing everything.
create table lake.result.evidence (
    run_id varchar,
    row_no bigint,
    "settlementId" varchar,
    "terminalId" varchar,
    "created" varchar,
    "clock" varchar,
    "previousCutId" varchar,
    "previousCutAt" varchar,
    "cutId" varchar,
    "cutAt" varchar,
    "isEarly" varchar,
    "reach" varchar,
    "usualLag" varchar,
    "usualSpread" varchar,
    "rivals" varchar,
    "certificateReasons" varchar,
    "candidates" varchar,
    "unreadable" varchar,
    "otherSettlement" varchar,
    "moves" varchar,
    "late" varchar,
    "laterMembers" varchar
);

-- Rows that the summaries of a pack show beyond its files. The cells of a row are text, as a JSON object.
create table lake.result.summary (run_id varchar, row_no bigint, part varchar, cells varchar);
