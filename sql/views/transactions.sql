-- view     transactions
-- of       records
-- grain    one row per transaction: its newest observed version
-- silent   older versions (transaction_versions); records that could not be read (quarantine)
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
-- column   versions, count: how many differing versions were observed
-- column   firstSeen, instant: when the first version was observed
-- column   lastChanged, instant: when the newest differing version was observed
-- column   listed, flag: false where a later complete sweep no longer listed it
-- column   landingSeq, sequence: landing number of the newest version
with
    newest as (
        select
            *,
            count(*) over record as versions,
            min(observed_at) over record as first_seen,
            row_number() over (
                partition by account, transaction_id
                order by landing_seq desc, ordinal desc
            ) as age
        from lake.seen.transaction_version
        window
            record as (
                partition by account, transaction_id
            )
    ),
    gone as (
        select account, subject_id as transaction_id, not arg_max(present, landing_seq) as is_absent
        from lake.seen.presence
        where list = 'transactions'
        group by account, subject_id
    )
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
    versions as "versions",
    first_seen as "firstSeen",
    observed_at as "lastChanged",
    not coalesce(is_absent, false) as "listed",
    landing_seq as "landingSeq"
from newest left join gone using (account, transaction_id)
where age = 1
