-- model    fully_read_settlement
-- grain    one row per COMPLETE settlement of which all transactions should be known
-- reads    current_settlement, imported_settlement, sweep_scope, swept_settlement
-- rule     R-30: sweeps that reach back far enough, or complete files, have read its transactions since it last changed
-- silent   settlements that may lack transactions: they are NO_DATA
with
    last_reading as (
        select current_settlement.settlement_id, max(sweep.started_seq) as started_seq
        from
            current_settlement
            inner join sweep_scope as sweep on sweep.list = 'transactions'
            and coalesce(sweep.terminal_id = current_settlement.terminal_id, true)
        group by current_settlement.settlement_id
    )
select settlement_id
from current_settlement left join last_reading using (settlement_id)
where
    status = 'COMPLETE'
    and (
        (
            coalesce(last_reading.started_seq >= last_changed_seq, false)
            and settlement_id in (select settlement_id from swept_settlement)
        )
        or settlement_id in (select settlement_id from imported_settlement)
    )
