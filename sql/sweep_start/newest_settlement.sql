-- model    newest_settlement
-- grain    one row per settlement, as it was last seen, with the times of the two before it and the reach of its terminal
-- reads    ops_run, result_evidence, seen_settlement_version
-- rule     R-61: the reach that a run has learned, and a day for a terminal of which no run has learned any
-- silent   other terminals, if one is swept alone
with
    newest as (
        select settlement_id, terminal_id, status, landing_seq, created
        from seen_settlement_version
        where getvariable('terminal_id') is null or terminal_id = getvariable('terminal_id')
        qualify
            row_number() over (
                partition by settlement_id
                order by landing_seq desc, ordinal desc
            ) = 1
    ),
    last_run as (
        select run_id
        from ops_run
        where account = getvariable('account')
        order by known_at desc, run_id desc
        limit 1
    ),
    reach_by_terminal as (
        select
            "terminalId"::bigint as terminal_id,
            max(greatest(24, "reach"::bigint)) as reach_hours
        from result_evidence
        where run_id in (from last_run)
        group by 1
    )
select
    newest.*,
    lag(created) over in_time as created_before,
    lag(created, 2) over in_time as created_long_before,
    to_hours(coalesce(reach_hours, 24)) as reach
from newest left join reach_by_terminal using (terminal_id)
window
    in_time as (
        partition by terminal_id
        order by created, settlement_id
    )
