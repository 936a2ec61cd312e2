-- model    certified_transaction_sweep
-- grain    one row per certified sweep of the transactions that a new sweep is to read
-- reads    ops_limited_sweep, ops_sweep
-- rule     R-31: a certificate says how complete the reading of a list was
-- silent   sweeps of fewer terminals than the new one: they prove nothing about the others
with
    limited as (
        select sweep_id, list(terminal_id) as terminals
        from ops_limited_sweep
        group by sweep_id
    )
select sweep.sweep_id, landing_seq, ended_at, covers_from
from ops_sweep as sweep left join limited on limited.sweep_id = sweep.sweep_id
where
    list = 'transactions'
    and certificate in ('SNAPSHOT', 'CONTIGUOUS')
    and terminal_id is not distinct from getvariable('terminal_id')
    and (
        terminals is null
        or list_has_all(terminals, string_split(getvariable('only_terminals'), ',')::bigint[])
    )
