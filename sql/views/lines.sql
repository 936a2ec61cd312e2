-- view     lines
-- of       results
-- grain    one row per transaction of a settlement in a run's range, with all its components and the shop's own numbers, as the run knew them
-- silent   orphans, and what is still open (unsettled)
-- column   account, name: short name of the account
-- column   runId, name: run that found it
-- column   settlementId, id: settlement that it is in
-- column   transactionId, id: the service's id of the transaction
-- column   terminalId, id: terminal of the settlement
-- column   invoiceNumber, text: the shop's own invoice number
-- column   purchaseOrderNumber, text: the shop's own purchase order number
-- column   created, instant: when the transaction was created
-- column   action, word: CHARGE, REFUND or VERIFY
-- column   status, word: CAPTURE, HOLD or VOID
-- column   approved, flag: whether it was approved
-- column   settled, flag: whether the service calls it settled
-- column   signedAmount, money: what it adds to the settlement
-- column   amountTotal, money: total of all components, positive
-- column   amountBase, money: component: the goods or services
-- column   amountTax, money: component: tax
-- column   amountShipping, money: component: shipping
-- column   amountTip, money: component: tip
-- column   amountSurcharge, money: component: surcharge
-- column   amountUnallocated, money: total less the components, which the service does not break down
-- column   method, word: EXPLICIT_ID, OBSERVED, WINDOW, ALIGNED, MANUAL or NONE: how transactions were found (R-05)
-- column   vaultType, word: CARD or ACH
-- column   accountType, word: brand of the card or type of the bank account, as sent
-- column   lastFour, text: last four digits
-- column   achType, word: ACH code; empty for a card
-- column   responseCode, word: answer of the issuer, as sent
-- column   lastModified, instant: when the service changed it last
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
    chosen_run.account as "account",
    source.run_id as "runId",
    result."settlementId" as "settlementId",
    result."transactionId" as "transactionId",
    result."terminalId" as "terminalId",
    version.invoice_number as "invoiceNumber",
    version.purchase_order_number as "purchaseOrderNumber",
    result."created" as "created",
    result."action" as "action",
    result."status" as "status",
    version.approved as "approved",
    version.settled as "settled",
    result."signedAmount" as "signedAmount",
    result."amountTotal" as "amountTotal",
    (version.base_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountBase",
    (version.tax_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTax",
    (version.shipping_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountShipping",
    (version.tip_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountTip",
    (version.surcharge_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "amountSurcharge",
    (
        result."amountTotal" - (
            (
                coalesce(version.base_cents, 0) + coalesce(version.tax_cents, 0) + coalesce(version.shipping_cents, 0) + coalesce(version.tip_cents, 0) + coalesce(version.surcharge_cents, 0)
            ) * 0.01::decimal(3, 2)
        )::decimal(18, 2)
    )::decimal(18, 2) as "amountUnallocated",
    result."method" as "method",
    version.vault_type as "vaultType",
    version.account_type as "accountType",
    version.last_four as "lastFour",
    version.ach_type as "achType",
    version.response_code as "responseCode",
    version.last_modified as "lastModified"
from
    lake.result.attribution_source as source
    inner join chosen_run using (run_id)
    inner join lake.result.attributions as result on result.run_id = source.source_run_id
    and result."settlementId" = source.settlement_id
    left join version on version.run_id = source.run_id
    and version.transaction_id = result."transactionId"
