-- view     transaction_versions
-- of       records
-- grain    one row per observed version of a transaction that differed from the one before
-- silent   nothing
-- column   account, name: short name of the account
-- column   transactionId, id: the service's id of the transaction
-- column   terminalId, id: terminal of the record
-- column   action, word: CHARGE, REFUND or VERIFY, as sent
-- column   status, word: CAPTURE, HOLD or VOID, as sent
-- column   approved, flag: whether it was approved; empty where the record does not say
-- column   settled, flag: whether the service calls it settled; empty where the record does not say
-- column   settlementId, id: settlement that the record itself names, which most services do not send
-- column   created, instant: when it was created
-- column   lastModified, instant: when the service changed it last
-- column   amountTotal, money: total of all components, always positive
-- column   amountBase, money: component: the goods or services
-- column   amountTax, money: component: tax
-- column   amountShipping, money: component: shipping
-- column   amountTip, money: component: tip
-- column   amountSurcharge, money: component: surcharge
-- column   signedAmount, money: what it adds to a settlement: a CHARGE its total, a REFUND its total negated, a VERIFY nothing (R-01)
-- column   achType, word: ACH code, such as PPD or WEB; empty for a card
-- column   method, word: how the card was presented, as sent
-- column   surchargePercentage, percent: percentage of the surcharge, as sent
-- column   surchargeStatus, word: what the service says of the surcharge, as sent
-- column   invoiceNumber, text: the shop's own invoice number
-- column   purchaseOrderNumber, text: the shop's own purchase order number
-- column   responseCode, word: answer of the issuer, as sent
-- column   vaultType, word: CARD or ACH
-- column   accountType, word: brand of the card or type of the bank account, as sent
-- column   lastFour, text: last four digits
-- column   version, count: 1 for the first observed version of the transaction, then 2, 3, ...
-- column   observedAt, instant: when this version was first observed
-- column   sweepId, name: sweep or import that brought this version
-- column   landingSeq, sequence: landing number of this version: it is known at this number and above
select
    account as "account",
    transaction_id as "transactionId",
    terminal_id as "terminalId",
    action as "action",
    status as "status",
    approved as "approved",
    settled as "settled",
    explicit_settlement_id as "settlementId",
    created as "created",
    last_modified as "lastModified",
    (total_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTotal",
    (base_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountBase",
    (tax_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTax",
    (shipping_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountShipping",
    (tip_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTip",
    (surcharge_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountSurcharge",
    (
        case action
            when 'CHARGE' then total_cents
            when 'REFUND' then -total_cents
            else 0
        end * 0.01::decimal(3, 2)
    )::decimal(18, 2) as "signedAmount",
    ach_type as "achType",
    method as "method",
    surcharge_percentage as "surchargePercentage",
    surcharge_status as "surchargeStatus",
    invoice_number as "invoiceNumber",
    purchase_order_number as "purchaseOrderNumber",
    response_code as "responseCode",
    vault_type as "vaultType",
    account_type as "accountType",
    last_four as "lastFour",
    row_number() over (
        partition by account, transaction_id
        order by landing_seq, ordinal
    ) as "version",
    observed_at as "observedAt",
    sweep_id as "sweepId",
    landing_seq as "landingSeq"
from lake.seen.transaction_version
