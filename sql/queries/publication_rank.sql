-- model    publication_rank
-- grain    one row per pack that was published
-- reads    lake.ops.publication
-- rule     R-33: rank 1 is the newest pack, but a backfill comes before an earlier pack only if its range ends no earlier
-- silent   nothing
with
    counted as (
        select
            *,
            count(*) filter(where not is_backfill) over (
                partition by account
                order by publication_seq, published_at, run_id rows unbounded preceding
            ) as runs_so_far
        from lake.ops.publication
    )
select
    * exclude (is_backfill, runs_so_far),
    row_number() over (
        partition by account
        order by
            runs_so_far desc,
            window_to desc,
            publication_seq desc,
            published_at desc,
            run_id desc
    ) as rank
from counted
