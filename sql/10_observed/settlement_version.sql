-- model    settlement_version
-- grain    one row per observed version of a settlement, with terminal, status and net of the version before
-- reads    seen_settlement_version
-- rule     R-02: a version is known if it landed by known_at
-- silent   versions that landed after known_at
select
    settlement_id, terminal_id, created,
    row_number() over (in_order) as version,
    observed_at, landing_seq, sweep_id, status, net_cents,
    lag(terminal_id) over (in_order) as previous_terminal_id,
    lag(status) over (in_order) as previous_status,
    lag(net_cents) over (in_order) as previous_net_cents,
    coalesce(
        bool_or(status = 'COMPLETE') over (
            in_order rows between unbounded preceding
            and 1 preceding
        ),
        false
    ) as was_complete
from seen_settlement_version
window
    in_order as (
        partition by settlement_id
        order by landing_seq, ordinal
    )
