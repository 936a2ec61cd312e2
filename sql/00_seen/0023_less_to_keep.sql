-- True where what a settlement ends at is the end of a run, which outweighs any other place only near the usual lag.
alter table lake.carried.kept_candidate
add column is_lean boolean;

-- What quiet charges of a card cover in the windows of all refunds that a night may find.
create table lake.carried.quiet_cover (account varchar, fine_key ubigint, covered_cents bigint);

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
