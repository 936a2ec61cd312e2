import * as f from './fields.ts'
import type { Secret } from '../../domain/settings.ts'
import { billingHash } from './keyed-hash.ts'

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

const at = (path: string) => f.placeOf(transactionSchema, path)
/** Where the values stand. */
const AT = {
  transactionId: at('transactionId'),
  terminalId: at('terminalId'),
  action: at('action'),
  status: at('status'),
  approved: at('response.approved'),
  settled: at('settlement.settled'),
  innerSettlementId: at('settlement.settlementId'),
  settlementId: at('settlementId'),
  created: at('created'),
  lastModified: at('lastModified'),
  base: at('amountBase'),
  tax: at('amountTax'),
  shipping: at('amountShipping'),
  tip: at('amountTip'),
  surcharge: at('amountSurcharge'),
  total: at('amountTotal'),
  achType: at('achType'),
  method: at('method'),
  surchargePercentage: at('surcharge.percentage'),
  surchargeStatus: at('surcharge.status'),
  invoiceNumber: at('invoiceNumber'),
  purchaseOrderNumber: at('purchaseOrderNumber'),
  responseCode: at('response.code'),
  vaultType: at('vault.type'),
  accountType: at('vault.accountType'),
  lastFour: at('vault.lastFour'),
  firstName: at('billing.firstName'),
  lastName: at('billing.lastName'),
  zip: at('billing.address.zip'),
}

export type TransactionRow = ReturnType<typeof transactionRow>

/** The transaction as the lake keeps it, with a keyed hash in the place of whom it bills. */
export function transactionRow(values: f.Values, hashKey: Secret) {
  return {
    transaction_id: f.given(values, AT.transactionId),
    terminal_id: f.given(values, AT.terminalId),
    action: f.given(values, AT.action),
    status: f.given(values, AT.status),
    approved: f.flagAt(values, AT.approved),
    settled: f.flagAt(values, AT.settled),
    explicit_settlement_id:
      f.textAt(values, AT.innerSettlementId) ?? f.textAt(values, AT.settlementId),
    created: f.given(values, AT.created),
    last_modified: f.textAt(values, AT.lastModified),
    base_cents: f.textAt(values, AT.base),
    tax_cents: f.textAt(values, AT.tax),
    shipping_cents: f.textAt(values, AT.shipping),
    tip_cents: f.textAt(values, AT.tip),
    surcharge_cents: f.textAt(values, AT.surcharge),
    total_cents: f.given(values, AT.total),
    ach_type: f.textAt(values, AT.achType),
    method: f.textAt(values, AT.method),
    surcharge_percentage: f.textAt(values, AT.surchargePercentage),
    surcharge_status: f.textAt(values, AT.surchargeStatus),
    invoice_number: f.textAt(values, AT.invoiceNumber),
    purchase_order_number: f.textAt(values, AT.purchaseOrderNumber),
    response_code: f.textAt(values, AT.responseCode),
    vault_type: f.textAt(values, AT.vaultType),
    account_type: f.textAt(values, AT.accountType),
    last_four: f.textAt(values, AT.lastFour),
    billing_hash: billingHash(hashKey, {
      firstName: f.textAt(values, AT.firstName) ?? '',
      lastName: f.textAt(values, AT.lastName) ?? '',
      zip: f.textAt(values, AT.zip) ?? '',
    }),
  }
}
