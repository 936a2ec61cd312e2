-- What the summaries of a pack show beyond its files, as text like these.
create table lake.result.summary_verdict (
    run_id varchar,
    row_no bigint,
    "verdict" varchar,
    "settlements" varchar,
    "reportedNet" varchar,
    "computedNet" varchar,
    "difference" varchar,
    "unexplainedAmount" varchar
);

create table lake.result.summary_day (
    run_id varchar,
    row_no bigint,
    "date" varchar,
    "settlements" varchar,
    "notJudged" varchar,
    "reportedNet" varchar,
    "computedNet" varchar,
    "difference" varchar,
    "notJudgedNet" varchar
);

create table lake.result.summary_ageing (
    run_id varchar,
    row_no bigint,
    "bucket" varchar,
    "count" varchar,
    "chargeCount" varchar,
    "chargeAmount" varchar,
    "refundCount" varchar,
    "refundAmount" varchar,
    "signedAmount" varchar
);

create table lake.result.summary_code (
    run_id varchar,
    row_no bigint,
    "code" varchar,
    "severity" varchar,
    "count" varchar,
    "open" varchar,
    "oldestDays" varchar
);

create table lake.result.summary_terminal (
    run_id varchar,
    row_no bigint,
    "terminalId" varchar,
    "terminalName" varchar,
    "errors" varchar,
    "warnings" varchar,
    "settlements" varchar,
    "breaks" varchar,
    "difference" varchar
);

create table lake.result.summary_difference (
    run_id varchar,
    row_no bigint,
    "settlementId" varchar,
    "terminalId" varchar,
    "terminalName" varchar,
    "businessDate" varchar,
    "created" varchar,
    "reportedNet" varchar,
    "computedNet" varchar,
    "difference" varchar,
    "verdict" varchar,
    "method" varchar,
    "certificate" varchar,
    "chargeCount" varchar,
    "chargeTotal" varchar,
    "refundCount" varchar,
    "refundTotal" varchar,
    "cutoff" varchar,
    "explanation" varchar,
    "unexplainedAmount" varchar,
    "candidates" varchar,
    "ofAll" varchar
);

create table lake.result.summary_step (
    run_id varchar,
    row_no bigint,
    "settlementId" varchar,
    "transactions" varchar,
    "transactionId" varchar,
    "created" varchar,
    "action" varchar,
    "status" varchar,
    "amountTotal" varchar,
    "isMember" varchar,
    "effect" varchar
);

create table lake.result.summary_previous (
    run_id varchar,
    row_no bigint,
    "runId" varchar,
    "from" varchar,
    "to" varchar,
    "asOf" varchar,
    "knownAt" varchar,
    "isApproved" varchar,
    "bothFrom" varchar,
    "bothTo" varchar,
    "settlementsOfNewDays" varchar
);

create table lake.result.summary_change (
    run_id varchar,
    row_no bigint,
    "kind" varchar,
    "subjectType" varchar,
    "subjectId" varchar,
    "terminalId" varchar,
    "code" varchar,
    "before" varchar,
    "after" varchar,
    "ofKind" varchar
);
