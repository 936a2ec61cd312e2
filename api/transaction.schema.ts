import type { z } from 'zod'
import * as f from './fields.ts'
import type { BillingIdentity } from './keyed-hash.ts'

/** A transaction as the service sends it; of the cardholder only what the billing hash needs is read. */
export const transactionSchema = f.record({
  transactionId: f.required(f.id),
  terminalId: f.required(f.id),
  action: f.required(f.word),
  status: f.required(f.word),
  created: f.required(f.instant),
  lastModified: f.optional(f.instant),
  amountBase: f.optional(f.amount),
  amountTax: f.optional(f.amount),
  amountShipping: f.optional(f.amount),
  amountTip: f.optional(f.amount),
  amountSurcharge: f.optional(f.amount),
  amountTotal: f.required(f.amount),
  achType: f.optional(f.optionalWord),
  method: f.optional(f.optionalWord),
  invoiceNumber: f.optional(f.freeText(64)),
  purchaseOrderNumber: f.optional(f.freeText(64)),
  settlementId: f.optional(f.undocumentedId),
  response: f.nested({ approved: f.optional(f.flag), code: f.optional(f.optionalWord) }),
  settlement: f.nested({
    settled: f.optional(f.flag),
    settlementId: f.optional(f.undocumentedId),
  }),
  surcharge: f.nested({
    percentage: f.optional(f.percentage),
    status: f.optional(f.optionalWord),
  }),
  vault: f.nested({
    type: f.optional(f.optionalWord),
    accountType: f.optional(f.optionalWord),
    lastFour: f.optional(f.lastFour),
  }),
  billing: f.nested({
    firstName: f.optional(f.personalText),
    lastName: f.optional(f.personalText),
    address: f.nested({ zip: f.optional(f.personalText) }),
  }),
})

type Transaction = z.infer<typeof transactionSchema>
export type TransactionRow = ReturnType<typeof transactionRow>

/** The transaction as the lake keeps it; `hash` stands for the billing identity. */
export function transactionRow(
  sent: Transaction,
  hash: (identity: BillingIdentity) => string | null,
) {
  return {
    transaction_id: sent.transactionId,
    terminal_id: sent.terminalId,
    action: sent.action,
    status: sent.status,
    approved: sent.response.approved,
    settled: sent.settlement.settled,
    explicit_settlement_id: sent.settlement.settlementId ?? sent.settlementId,
    created: sent.created,
    last_modified: sent.lastModified,
    ...amounts(sent),
    ach_type: sent.achType,
    method: sent.method,
    surcharge_percentage: sent.surcharge.percentage,
    surcharge_status: sent.surcharge.status,
    invoice_number: sent.invoiceNumber,
    purchase_order_number: sent.purchaseOrderNumber,
    response_code: sent.response.code,
    ...account(sent),
    billing_hash: hash(billingOf(sent)),
  }
}

function amounts(sent: Transaction) {
  return {
    base_cents: sent.amountBase,
    tax_cents: sent.amountTax,
    shipping_cents: sent.amountShipping,
    tip_cents: sent.amountTip,
    surcharge_cents: sent.amountSurcharge,
    total_cents: sent.amountTotal,
  }
}

function account({ vault }: Transaction) {
  return {
    vault_type: vault.type,
    account_type: vault.accountType,
    last_four: vault.lastFour,
  }
}

function billingOf({ billing }: Transaction): BillingIdentity {
  return {
    firstName: billing.firstName ?? '',
    lastName: billing.lastName ?? '',
    zip: billing.address.zip ?? '',
  }
}
