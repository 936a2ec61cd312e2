-- view     transactions
-- of       records
-- grain    one row per transaction: its newest observed version
-- silent   older versions (transaction_versions); records that could not be read (quarantine)
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
    account as "account", -- name: short name of the account
    transaction_id as "transactionId", -- id: the service's id of the transaction
    terminal_id as "terminalId", -- id: terminal of the record
    action as "action", -- word: CHARGE, REFUND or VERIFY, as sent
    status as "status", -- word: CAPTURE, HOLD or VOID, as sent
    approved as "approved", -- flag: whether it was approved; empty where the record does not say
    settled as "settled", -- flag: whether the service calls it settled; empty where the record does not say
    explicit_settlement_id as "settlementId", -- id: settlement that the record itself names, which most services do not send
    created as "created", -- instant: when it was created
    last_modified as "lastModified", -- instant: when the service changed it last
    (total_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTotal", -- money: total of all components, always positive
    (base_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountBase", -- money: component: the goods or services
    (tax_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTax", -- money: component: tax
    (shipping_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountShipping", -- money: component: shipping
    (tip_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTip", -- money: component: tip
    (surcharge_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountSurcharge", -- money: component: surcharge
    (
        case action
            when 'CHARGE' then total_cents
            when 'REFUND' then -total_cents
            else 0
        end * 0.01::decimal(3, 2)
    )::decimal(18, 2) as "signedAmount", -- money: what it adds to a settlement: a CHARGE its total, a REFUND its total negated, a VERIFY nothing (R-01)
    ach_type as "achType", -- word: ACH code, such as PPD or WEB; empty for a card
    method as "method", -- word: how the card was presented, as sent
    surcharge_percentage as "surchargePercentage", -- percent: percentage of the surcharge, as sent
    surcharge_status as "surchargeStatus", -- word: what the service says of the surcharge, as sent
    invoice_number as "invoiceNumber", -- text: the shop's own invoice number
    purchase_order_number as "purchaseOrderNumber", -- text: the shop's own purchase order number
    response_code as "responseCode", -- word: answer of the issuer, as sent
    vault_type as "vaultType", -- word: CARD or ACH
    account_type as "accountType", -- word: brand of the card or type of the bank account, as sent
    last_four as "lastFour", -- text: last four digits
    versions as "versions", -- count: how many differing versions were observed
    first_seen as "firstSeen", -- instant: when the first version was observed
    observed_at as "lastChanged", -- instant: when the newest differing version was observed
    not coalesce(is_absent, false) as "listed", -- flag: false where the newest sweep that could list it did not
    landing_seq as "landingSeq" -- sequence: landing number of the newest version
from newest left join gone using (account, transaction_id)
where age = 1
