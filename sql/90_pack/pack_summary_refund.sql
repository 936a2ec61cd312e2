-- pack     the summaries: refunds above what was charged
-- grain    one row per refund at risk, the most certain and the largest first, fifty at most
-- reads    pack_refund_ceiling
-- rule     R-18: the totals by which the refund was judged; R-37: the content of the summaries
-- silent   the refunds beyond the fiftieth, which are in refund_ceiling.csv
select
    "transactionId" as "transactionId",
    "terminalId" as "terminalId",
    "created" as "created",
    "cardKey" as "cardKey",
    "refundAmount" as "refundAmount",
    "chargedCoarse" as "chargedCoarse",
    "chargedFine" as "chargedFine",
    "refundedBefore" as "refundedBefore",
    "certainty" as "certainty",
    "historyFrom" as "historyFrom",
    count(*) over () as "ofAll"
from pack_refund_ceiling
qualify
    row_number() over (
        order by
            "certainty" = 'INSUFFICIENT_HISTORY',
            "certainty" = 'SUSPECTED',
            "refundAmount"::decimal(18, 2) desc,
            "transactionId"::bigint
    ) <= 50
order by
    "certainty" = 'INSUFFICIENT_HISTORY',
    "certainty" = 'SUSPECTED',
    "refundAmount"::decimal(18, 2) desc,
    "transactionId"::bigint
