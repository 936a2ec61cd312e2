/** A terminal, field by field, as each version of the interface shows it. */
import type { ApiVersion } from '../world/options.ts'
import type { Terminal } from '../world/terminals.ts'

/** JSON text; the id is written as digits, since it may not fit a double. */
export function terminalJson(terminal: Terminal, version: ApiVersion): string {
  const rest = {
    nickName: terminal.nickName,
    type: terminal.type,
    enabled: terminal.enabled,
    accountId: terminal.accountId,
    companyDba: terminal.companyDba,
    companyLegal: terminal.companyLegal,
    merchantNumber: terminal.merchantNumber,
    surcharge: version >= '2023-05-16' ? surchargeOf(terminal) : undefined,
    acceptance: version >= '2026-08-21' ? acceptanceOf(terminal) : undefined,
  }
  return `{"terminalId":${terminal.id},${JSON.stringify(rest).slice(1)}`
}

function surchargeOf({ surcharge_bp, surchargeTaxable }: Terminal) {
  if (surcharge_bp === 0) return { enabled: false, taxable: false, disclosure: [] }
  const percentage = surcharge_bp / 100
  const disclosure = [`A surcharge of ${percentage} % is added to card payments.`]
  return { enabled: true, percentage, taxable: surchargeTaxable, disclosure }
}

function acceptanceOf({ acceptance, acceptanceAsArray }: Terminal) {
  if (acceptance.length === 0) return undefined
  return acceptanceAsArray || acceptance.length > 1 ? acceptance : acceptance[0]
}
