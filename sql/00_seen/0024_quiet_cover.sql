-- What quiet charges of a card cover in the windows of all refunds that a night may find.
create table lake.carried.quiet_cover (account varchar, fine_key ubigint, covered_cents bigint);
