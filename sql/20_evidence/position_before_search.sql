-- model    position_before_search
-- grain    one row per sampled settlement and search: the last position before the hours searched. A terminal's first settlement of a search also has the position before it
-- reads    sampled_position, sampled_settlement
-- rule     R-61: a settlement may end before all transactions of the hours searched
-- silent   settlements before which no sampled transaction lies
with
    search as (
        select *, unnest(list_distinct([short_search_hours (), cutoff_bound_hours ()])) as hours
        from sampled_settlement
    )
select
    search.terminal_id, search.ordinal, search.hours,
    sampled_position.running_cents - search.running_cents as offset_cents,
    epoch(search.created) - epoch(coalesce(next_at, search.created)) as lag_s
from
    search
    asof inner join sampled_position on sampled_position.terminal_id = search.terminal_id
    and sampled_position.cut_at < search.created - to_hours(search.hours)
union all
-- A terminal begins with no transactions and no settlements: its first offset is zero.
select terminal_id, 0, hours, 0, null
from search
where is_whole
group by terminal_id, hours
