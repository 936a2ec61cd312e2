-- model    settlement_span
-- grain    one row per settlement that does not tie, with the stretch of time that it covers
-- reads    computed_net, boundary
-- rule     R-29: from cut-off to cut-off; where all is placed by ids and by what was seen, from the last transaction of the one before to its own last one
-- silent   nothing: without any of these it is the day before it was made
with
    ends as (
        select
            computed_net.*,
            boundary.ordinal,
            coalesce(boundary.cut_instant, cutoff_at, computed_net.created) as ends_at,
            lag(coalesce(boundary.cut_instant, cutoff_at, computed_net.created)) over (
                partition by computed_net.terminal_id
                order by computed_net.created, computed_net.settlement_id
            ) as before_ends_at
        from
            computed_net
            left join boundary using (settlement_id)
    )
select
    ends.settlement_id,
    ends.terminal_id,
    ends.created,
    ends.difference_cents,
    coalesce(earlier.cut_instant, ends.before_ends_at, ends.created - interval 1 day) as begins_at,
    ends.ends_at
from
    ends
    left join boundary as earlier on earlier.terminal_id = ends.terminal_id
    and earlier.ordinal = ends.ordinal - 1
where ends.verdict = 'BREAK'
