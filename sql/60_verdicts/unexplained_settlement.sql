-- model    unexplained_settlement
-- grain    one row per settlement that does not tie, with the time that it covers
-- reads    boundary, computed_net
-- rule     R-29: from cut-off to cut-off, and to no earlier time than the last member that an id or an observation places
-- silent   nothing; a terminal's first settlement covers the day before it was created
with
    settlement_end as (
        select
            settlement_id, computed_net.terminal_id, computed_net.created, difference_cents,
            verdict,
            coalesce(
                greatest(
                    boundary.cut_instant,
                    -- Without positions by arithmetic, the usual lag alone gives the cut-off.
                    case when method in ('EXPLICIT_ID', 'OBSERVED') then cutoff_at end
                ),
                cutoff_at, computed_net.created
            ) as ends_at
        from computed_net left join boundary using (settlement_id)
    ),
    settlement_time as (
        select
            *,
            lag(ends_at) over (
                partition by terminal_id
                order by created, settlement_id
            ) as before_ends_at
        from settlement_end
    )
select
    settlement_id, terminal_id, created, difference_cents,
    coalesce(before_ends_at, created - first_settlement_span ()) as begins_at,
    ends_at
from settlement_time
where verdict = 'BREAK'
