-- Most settlements of a run's range hold what they held in the run before: their attributions are written once, and each later run names the run that wrote them.
create table lake.result.attribution_source (run_id varchar, settlement_id bigint, source_run_id varchar, print ubigint);

insert into lake.result.attribution_source
select distinct
    run_id,
    "settlementId",
    run_id,
    null::ubigint
from lake.result.attributions;
