-- pack     the summaries: the settlements that are off by most
-- grain    one row per settlement with a difference, unexplained ones first, forty at most
-- reads    excluded_component, next_step, pack_settlements, tieout
-- rule     R-10: a difference is computed less reported; R-37: what the summaries show
-- silent   the settlements beyond the fortieth, which are in settlements.csv
select
    pack_settlements."settlementId" as "settlementId",
    pack_settlements."terminalId" as "terminalId",
    pack_settlements."terminalName" as "terminalName",
    pack_settlements."businessDate" as "businessDate",
    pack_settlements."created" as "created",
    pack_settlements."reportedNet" as "reportedNet",
    pack_settlements."computedNet" as "computedNet",
    pack_settlements."difference" as "difference",
    pack_settlements."verdict" as "verdict",
    pack_settlements."method" as "method",
    pack_settlements."certificate" as "certificate",
    pack_settlements."chargeCount" as "chargeCount",
    pack_settlements."chargeTotal" as "chargeTotal",
    pack_settlements."refundCount" as "refundCount",
    pack_settlements."refundTotal" as "refundTotal",
    pack_settlements."cutoff" as "cutoff",
    pack_settlements."explanation" as "explanation",
    pack_settlements."unexplainedAmount" as "unexplainedAmount",
    tieout.candidates as "candidates",
    replace(next_step.cause, '{component}', coalesce(component, '')) as "cause",
    replace(next_step.step, '{component}', coalesce(component, '')) as "nextStep",
    component as "component",
    count(*) over () as "ofAll"
from
    pack_settlements
    inner join tieout on tieout.settlement_id = pack_settlements."settlementId"::bigint
    left join excluded_component using (settlement_id)
    left join next_step on next_step.code = 'AMOUNT_MISMATCH'
    and next_step.explanation = tieout.explanation
where pack_settlements."difference"::decimal(18, 2) <> 0
qualify
    row_number() over (
        order by
            pack_settlements."verdict" <> 'BREAK',
            abs(pack_settlements."difference"::decimal(18, 2)) desc,
            pack_settlements."settlementId"::bigint
    ) <= 40
order by
    pack_settlements."verdict" <> 'BREAK',
    abs(pack_settlements."difference"::decimal(18, 2)) desc,
    pack_settlements."settlementId"::bigint
