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

const at = (path: string) => f.placeOf(terminalSchema, path)
/** Where the values stand. */
const AT = {
  terminalId: at('terminalId'),
  nickName: at('nickName'),
  type: at('type'),
  enabled: at('enabled'),
  accountId: at('accountId'),
  companyDba: at('companyDba'),
  merchantNumber: at('merchantNumber'),
  surchargeEnabled: at('surcharge.enabled'),
  surchargePercentage: at('surcharge.percentage'),
  surchargeTaxable: at('surcharge.taxable'),
  acceptance: at('acceptance'),
}

export type TerminalRow = ReturnType<typeof terminalRow>

/** The terminal as the lake keeps it. */
export function terminalRow(values: f.Values) {
  return {
    terminal_id: f.given(values, AT.terminalId),
    nick_name: f.textAt(values, AT.nickName),
    type: f.textAt(values, AT.type),
    enabled: f.flagAt(values, AT.enabled),
    account_uuid: f.textAt(values, AT.accountId),
    company_dba: f.textAt(values, AT.companyDba),
    merchant_number: f.textAt(values, AT.merchantNumber),
    surcharge_enabled: f.flagAt(values, AT.surchargeEnabled),
    surcharge_percentage: f.textAt(values, AT.surchargePercentage),
    surcharge_taxable: f.flagAt(values, AT.surchargeTaxable),
    acceptance: f.textAt(values, AT.acceptance),
  }
}
