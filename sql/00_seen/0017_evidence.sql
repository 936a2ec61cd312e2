-- What a run leaves for whoever asks about one settlement, see docs/decisions/0028-one-settlement-from-what-its-run-has-stored.md.
-- Disposable: a settlement without its row is explained by computing everything.
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
    "usualLag" varchar,
    "usualSpread" varchar,
    "rivals" varchar,
    "candidates" varchar,
    "unreadable" varchar,
    "otherSettlement" varchar,
    "moves" varchar,
    "late" varchar,
    "laterMembers" varchar
);
