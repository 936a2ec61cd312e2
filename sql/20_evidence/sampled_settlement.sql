-- model    sampled_settlement
-- grain    one row per settlement of a terminal's newest six weeks, and never fewer than ten, with the running sum of the nets
-- reads    known_settlement, prompt_terminal
-- rule     R-61: these settlements show how long before a settlement its terminal cuts off
-- silent   terminals whose newest settlements tie within twelve hours
with
    newest_settlement as (
        from known_settlement anti join prompt_terminal using (terminal_id)
        qualify
            created >= max(created) over (partition by terminal_id) - interval 42 days
            or row_number() over (partition by terminal_id order by ordinal desc) <= 10
    )
select
    terminal_id, ordinal, created,
    sum(coalesce(reported_cents, 0)) over (
        partition by terminal_id
        order by ordinal rows unbounded preceding
    ) as running_cents,
    count(*) over (partition by terminal_id) as settlement_count,
    -- True if the sample begins with the terminal's first settlement.
    min(ordinal) over (partition by terminal_id) = 1 as is_whole,
    -- Four settlements in a row agree by chance once in ten thousand cases. If there are fewer settlements, all have to
    -- agree.
    greatest(3, least(4, settlement_count + is_whole::integer)) as least_run_length
from newest_settlement
