-- A settlement, an instant and an id tell the order of these rows: to number them, all of them would have to be written twice.
alter table lake.result.attributions
drop column row_no;

-- Of all charges on quiet cards few columns are asked, and of the few refunds all: apart, each is read for what it takes.
create table lake.carried.quiet_refund as
select * exclude (invoice_number)
from lake.carried.quiet_card
limit 0;

-- What a coarse card was charged in quiet ones, by stretches of 38 hours.
create table lake.carried.quiet_charge (account varchar, coarse_key ubigint, stretch bigint, charged_cents bigint);
