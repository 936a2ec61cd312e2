-- Packs that were published, each recorded once its folder bore its name: a run whose pack was withheld is not here.
create table lake.ops.publication (
    run_id varchar,
    account varchar,
    window_from date,
    window_to date,
    certificate varchar,
    published_at timestamp
);

-- Of runs before this table it is only known that they were stored; their certificates are in their manifests.
insert into lake.ops.publication
select
    run_id,
    account,
    window_from,
    window_to,
    null,
    recorded_at
from lake.ops.run;
