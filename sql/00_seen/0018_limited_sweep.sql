-- Terminals that a sweep of a whole list kept, where the account is limited to some: it says nothing of others.
create table lake.ops.limited_sweep (account varchar, sweep_id varchar, terminal_id bigint, landing_seq bigint);
