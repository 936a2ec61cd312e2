-- The card key in packs, of each card that was refunded before the account's hash key was rotated. Packs go on showing it
-- beside the rotated hash (docs/decisions/0048-a-hash-key-is-rotated-in-a-chain.md).
create table lake.ops.card_key (
    account varchar,
    account_type varchar,
    last_four varchar,
    billing_key ubigint,
    card_key varchar
);

-- The fence of landings takes its place.
drop table lake.ops.hash_key_fence;
