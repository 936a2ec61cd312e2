-- Charges that count are all that is asked of quiet cards: kept alone, they need no word for what they are.
delete from lake.carried.quiet_card
where
    action <> 'CHARGE'
    or not approved
    or status = 'VOID';

alter table lake.carried.quiet_card
drop column action;

alter table lake.carried.quiet_card
drop column status;

alter table lake.carried.quiet_card
drop column approved;
