-- model    terminal_reach
-- grain    one row per terminal with a settlement: how many hours before a settlement its cut-off is looked for
-- reads    cutoff_search, known_settlement
-- rule     R-61: 12 hours. If these tie too few settlements and a wider search ties clearly more, its longest lag and a day for one more bank holiday
-- silent   nothing: a terminal of which nothing is learned has 12 hours
with
    terminal as (
        select distinct terminal_id
        from known_settlement
    )
select
    terminal_id,
    case
        when coalesce(
            2 * wide.tied_count > wide.settlement_count
            and 10 * (wide.tied_count - short.tied_count) > wide.settlement_count,
            false
        ) then least(cutoff_bound_hours (), greatest(12, wide.lag_hours + 24))
        else short_search_hours ()
    end as reach_hours
from
    terminal
    left join (from cutoff_search where step = 1) as short using (terminal_id)
    left join (from cutoff_search where step = 2) as wide using (terminal_id)
