import type { z } from 'zod'
import * as f from './fields.ts'

/** A terminal as the service sends it, in any version of the interface. */
export const terminalSchema = f.record({
  terminalId: f.required(f.id),
  nickName: f.optional(f.freeText(255)),
  type: f.optional(f.optionalWord),
  enabled: f.optional(f.flag),
  accountId: f.optional(f.identifier),
  companyDba: f.optional(f.freeText(255)),
  merchantNumber: f.optional(f.identifier),
  surcharge: f.nested({
    enabled: f.optional(f.flag),
    percentage: f.optional(f.percentage),
    taxable: f.optional(f.flag),
  }),
  acceptance: f.optional(f.words),
})

export type TerminalRow = ReturnType<typeof terminalRow>

/** The terminal as the lake keeps it. */
export function terminalRow(sent: z.infer<typeof terminalSchema>) {
  return {
    terminal_id: sent.terminalId,
    nick_name: sent.nickName,
    type: sent.type,
    enabled: sent.enabled,
    account_uuid: sent.accountId,
    company_dba: sent.companyDba,
    merchant_number: sent.merchantNumber,
    surcharge_enabled: sent.surcharge.enabled,
    surcharge_percentage: sent.surcharge.percentage,
    surcharge_taxable: sent.surcharge.taxable,
    acceptance: sent.acceptance,
  }
}
