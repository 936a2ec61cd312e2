-- What a run found, row by row as the pack's files show it: text, so that publishing adds nothing to it.
create schema if not exists lake.result;

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

create table lake.result.attributions (
    run_id varchar,
    row_no bigint,
    "account" varchar,
    "transactionId" varchar,
    "settlementId" varchar,
    "terminalId" varchar,
    "created" varchar,
    "action" varchar,
    "status" varchar,
    "amountTotal" varchar,
    "signedAmount" varchar,
    "method" varchar
);

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
    "stateReason" varchar
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
