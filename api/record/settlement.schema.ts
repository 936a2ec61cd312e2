import * as f from './fields.ts'

/** A settlement as the service sends it. */
export const settlementSchema = f.record({
  settlementId: f.required(f.id),
  terminalId: f.required(f.id),
  created: f.required(f.instant),
  amountNet: f.required(f.netAmount),
  status: f.required(f.word),
})

const at = (path: string) => f.placeOf(settlementSchema, path)
/** Where the values stand. */
const AT = {
  settlementId: at('settlementId'),
  terminalId: at('terminalId'),
  created: at('created'),
  net: at('amountNet'),
  status: at('status'),
}

export type SettlementRow = ReturnType<typeof settlementRow>

/** The settlement as the lake keeps it. */
export function settlementRow(values: f.Values) {
  const net = values[AT.net] as f.NetAmount
  return {
    settlement_id: f.given(values, AT.settlementId),
    terminal_id: f.given(values, AT.terminalId),
    created: f.given(values, AT.created),
    net_cents: net.cents,
    net_noise: net.noise,
    status: f.given(values, AT.status),
  }
}
