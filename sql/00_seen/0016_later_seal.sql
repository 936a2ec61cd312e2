-- A seal lies twenty days before the instant of its run, which may be within the run's range: what the pack shows of quiet settlements is kept.
-- Disposable as well. See docs/decisions/0025-sealed-terminals.md.
alter table lake.carried.seal
add column sealed_from timestamp;

-- True: it was created in the range, or the one after it was.
alter table lake.carried.sealed_settlement
add column is_shown boolean;

-- Quiet transactions of settlements in the range, as the pack lists them.
create table lake.carried.quiet_attribution (
    account varchar,
    terminal_id bigint,
    transaction_id bigint,
    settlement_id bigint,
    created timestamp,
    action varchar,
    status varchar,
    total_cents bigint,
    signed_cents bigint,
    method varchar
);
