-- Most rows of a pack are these: as numbers and instants they are written for half of what texts take.
alter table lake.result.attributions
rename to attributions_as_text;

create table lake.result.attributions (
    run_id varchar,
    row_no bigint,
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

insert into lake.result.attributions
select
    run_id,
    row_no,
    "account",
    "transactionId"::bigint,
    "settlementId"::bigint,
    "terminalId"::bigint,
    "created"::timestamp,
    "action",
    "status",
    "amountTotal"::decimal(18, 2),
    "signedAmount"::decimal(18, 2),
    "method"
from lake.result.attributions_as_text;

drop table lake.result.attributions_as_text;
