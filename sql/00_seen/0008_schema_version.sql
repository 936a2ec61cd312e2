-- By which version of the record schemas a record was refused; null where an older tieout refused it.
alter table lake.seen.quarantine
add column schema_version integer;
