-- view     lines
-- of       results
-- grain    one row per transaction of a settlement in a run's range, with all its components and the shop's own numbers, as the run knew them
-- silent   orphans, and what is still open (unsettled)
with
    version as (
        select
            chosen_run.run_id,
            version.* exclude (sweep_id, account, created, action, status, method)
        from
            lake.seen.transaction_version as version
            inner join chosen_run on chosen_run.account = version.account
            and version.landing_seq <= chosen_run.known_at
        qualify
            row_number() over (
                partition by chosen_run.run_id, version.transaction_id
                order by version.landing_seq desc, version.ordinal desc
            ) = 1
    )
select
    chosen_run.account as "account", -- name: short name of the account
    source.run_id as "runId", -- name: run that found it
    result."settlementId" as "settlementId", -- id: settlement that it is in
    result."transactionId" as "transactionId", -- id: the service's id of the transaction
    result."terminalId" as "terminalId", -- id: terminal of the settlement
    version.invoice_number as "invoiceNumber", -- text: the shop's own invoice number
    version.purchase_order_number as "purchaseOrderNumber", -- text: the shop's own purchase order number
    result."created" as "created", -- instant: when the transaction was created
    result."action" as "action", -- word: CHARGE, REFUND or VERIFY
    result."status" as "status", -- word: CAPTURE, HOLD or VOID
    version.approved as "approved", -- flag: whether it was approved
    version.settled as "settled", -- flag: whether the service calls it settled
    result."signedAmount" as "signedAmount", -- money: what it adds to the settlement
    result."amountTotal" as "amountTotal", -- money: total of all components, positive
    (version.base_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountBase", -- money: component: the goods or services
    (version.tax_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTax", -- money: component: tax
    (version.shipping_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountShipping", -- money: component: shipping
    (version.tip_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTip", -- money: component: tip
    (version.surcharge_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountSurcharge", -- money: component: surcharge
    (
        result."amountTotal" - (
            (
                coalesce(version.base_cents, 0) + coalesce(version.tax_cents, 0) + coalesce(version.shipping_cents, 0) + coalesce(version.tip_cents, 0) + coalesce(version.surcharge_cents, 0)
            ) * 0.01::decimal(3, 2)
        )::decimal(18, 2)
    )::decimal(18, 2) as "amountUnallocated", -- money: total less the components, which the service does not break down
    result."method" as "method", -- word: EXPLICIT_ID, OBSERVED, WINDOW, ALIGNED, MANUAL or NONE: how transactions were found (R-05)
    version.vault_type as "vaultType", -- word: CARD or ACH
    version.account_type as "accountType", -- word: brand of the card or type of the bank account, as sent
    version.last_four as "lastFour", -- text: last four digits
    version.ach_type as "achType", -- word: ACH code; empty for a card
    version.response_code as "responseCode", -- word: answer of the issuer, as sent
    version.last_modified as "lastModified" -- instant: when the service changed it last
from
    lake.result.attribution_source as source
    inner join chosen_run using (run_id)
    inner join lake.result.attributions as result on result.run_id = source.source_run_id
    and result."settlementId" = source.settlement_id
    left join version on version.run_id = source.run_id
    and version.transaction_id = result."transactionId"
