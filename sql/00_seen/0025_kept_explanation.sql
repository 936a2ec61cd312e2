-- Settlements that were off long ago, alone, and what was said of each: their transactions need not be read again.
create table lake.carried.kept_explanation (
    account varchar,
    terminal_id bigint,
    settlement_id bigint,
    created timestamp,
    difference_cents bigint,
    code varchar,
    blamed varchar,
    sets bigint,
    candidates varchar
);
