-- pack     refund_ceiling.csv
-- grain    one row per refund of the range that is at risk
-- reads    refund_certainty
-- rule     R-18: the totals by which the refund was judged; R-32: text in files
-- silent   refunds that are covered
select
    getvariable('account') as "account",
    transaction_id::varchar as "transactionId",
    terminal_id::varchar as "terminalId",
    instant(created) as "created",
    card_key as "cardKey",
    money(refund_cents) as "refundAmount",
    money(charged_coarse_cents) as "chargedCoarse",
    money(charged_fine_cents) as "chargedFine",
    money(refunded_before_cents) as "refundedBefore",
    certainty as "certainty",
    instant(history_from) as "historyFrom"
from refund_certainty
where created >= getvariable('window_from') and created < getvariable('window_to')
order by terminal_id, refund_certainty.created, transaction_id
