-- model    recently_landed_transaction
-- grain    one row per transaction of which a version landed after the newest sweep of its terminal's settlements
-- reads    seen_transaction_version, sweep_scope
-- rule     R-63: landing numbers say whether the settlements were read after a transaction
-- silent   transactions of a terminal whose settlements no sweep has read
with
    last_reading as (
        select terminal_id, max(landing_seq) as landing_seq
        from sweep_scope
        where list = 'settlements'
        group by terminal_id
    ),
    -- Versions that landed before the oldest of these sweeps can't be recent for any terminal.
    recent_version as (
        select transaction_id, terminal_id, landing_seq
        from seen_transaction_version
        where landing_seq > (select min(landing_seq) from last_reading)
    )
select distinct recent_version.transaction_id
from
    recent_version
    left join (from last_reading where terminal_id is null) as of_all on true
    left join last_reading as of_one on of_one.terminal_id = recent_version.terminal_id
where recent_version.landing_seq > greatest(of_all.landing_seq, of_one.landing_seq)
