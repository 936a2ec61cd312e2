-- What a run learned of all terminals together: which event turns the settled flag (created, completed, or none), whether the
-- flag comes after a settlement is COMPLETE, and whether some transaction was seen on two terminals. Null for runs from before
-- it was kept. Who judges one terminal by itself takes it from here.
alter table lake.ops.run
add column settled_event varchar;

alter table lake.ops.run
add column flag_comes_later boolean;

alter table lake.ops.run
add column has_moved boolean;
