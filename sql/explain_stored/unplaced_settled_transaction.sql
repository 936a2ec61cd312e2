-- model    unplaced_settled_transaction
-- grain    one row per transaction of the stage's model, and one that stands for all later ones
-- reads    explained_time_range, stage_unplaced_settled_transaction
-- rule     R-62: where the two clocks of a terminal differ anywhere, it has both; the last row makes them differ here
-- silent   nothing
from stage_unplaced_settled_transaction
union all by name
select
    getvariable('explained_terminal') as terminal_id,
    0 as signed_cents,
    max(ends_at) + interval 100 days as created,
    max(ends_at) + interval 101 days as modified
from explained_time_range
