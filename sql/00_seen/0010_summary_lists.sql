-- The rows of two of a pack's files that its page lists first.
create table lake.result.summary_pending (
    run_id varchar,
    row_no bigint,
    "settlementId" varchar,
    "terminalId" varchar,
    "created" varchar,
    "observedAt" varchar,
    "status" varchar,
    "reportedNet" varchar,
    "change" varchar,
    "hoursPending" varchar,
    "isOpen" varchar,
    "ofAll" varchar,
    "ofOpen" varchar
);

create table lake.result.summary_refund (
    run_id varchar,
    row_no bigint,
    "transactionId" varchar,
    "terminalId" varchar,
    "created" varchar,
    "cardKey" varchar,
    "refundAmount" varchar,
    "chargedCoarse" varchar,
    "chargedFine" varchar,
    "refundedBefore" varchar,
    "certainty" varchar,
    "historyFrom" varchar,
    "ofAll" varchar
);
