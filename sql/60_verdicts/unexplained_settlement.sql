-- model    unexplained_settlement
-- grain    one row per settlement that does not tie, with the stretch of time that it covers
-- reads    boundary, computed_net
-- rule     R-29: from cut-off to cut-off; where all is placed by ids and by what was seen, from the last transaction of the one before to its own last one
-- silent   nothing: without any of these it is the day before it was made
with
    ends as (
        select
            settlement_id, computed_net.terminal_id, computed_net.created, difference_cents,
            verdict,
            coalesce(
                -- Of what is placed otherwise no transaction tells where time was cut: it is only expected there.
                case when method in ('EXPLICIT_ID', 'OBSERVED') then cutoff_at end,
                boundary.cut_instant, cutoff_at, computed_net.created
            ) as ends_at
        from computed_net left join boundary using (settlement_id)
    ),
    spans as (
        select
            *,
            lag(ends_at) over (
                partition by terminal_id
                order by created, settlement_id
            ) as before_ends_at
        from ends
    )
select
    settlement_id, terminal_id, created, difference_cents,
    coalesce(before_ends_at, created - interval 1 day) as begins_at,
    ends_at
from spans
where verdict = 'BREAK'
