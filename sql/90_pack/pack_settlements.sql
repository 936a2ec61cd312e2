-- pack     settlements.csv
-- grain    one row per settlement created in the range
-- reads    current_settlement, current_terminal, tieout
-- rule     R-03: the range is over settlement.created; R-32: text in files
-- silent   settlements outside of the range
select
    getvariable('account') as "account",
    tieout.settlement_id::varchar as "settlementId",
    tieout.terminal_id::varchar as "terminalId",
    guard(nick_name) as "terminalName",
    instant(tieout.created) as "created",
    tieout.business_date::varchar as "businessDate",
    tieout.status as "status",
    money(tieout.reported_cents) as "reportedNet",
    money(computed_cents) as "computedNet",
    money(difference_cents) as "difference",
    verdict as "verdict",
    method as "method",
    certificate as "certificate",
    transaction_count::varchar as "transactionCount",
    charge_count::varchar as "chargeCount",
    money(charge_cents) as "chargeTotal",
    refund_count::varchar as "refundCount",
    money(refund_cents) as "refundTotal",
    instant(cutoff_at) as "cutoff",
    explanation as "explanation",
    money(explained_cents) as "explainedAmount",
    money(unexplained_cents) as "unexplainedAmount",
    explained_by as "explainedBy",
    instant(current_settlement.first_seen) as "firstSeen",
    instant(current_settlement.last_changed) as "lastChanged"
from
    tieout
    inner join current_settlement using (settlement_id)
    left join current_terminal on current_terminal.terminal_id = tieout.terminal_id
where in_range
order by tieout.terminal_id, tieout.created, tieout.settlement_id
