import type { z } from 'zod'
import * as f from './fields.ts'

/** A settlement as the service sends it. */
export const settlementSchema = f.record({
  settlementId: f.required(f.id),
  terminalId: f.required(f.id),
  created: f.required(f.instant),
  amountNet: f.required(f.netAmount),
  status: f.required(f.word),
})

export type SettlementRow = ReturnType<typeof settlementRow>

/** The settlement as the lake keeps it. */
export function settlementRow(sent: z.infer<typeof settlementSchema>) {
  return {
    settlement_id: sent.settlementId,
    terminal_id: sent.terminalId,
    created: sent.created,
    net_cents: sent.amountNet.cents,
    net_noise: sent.amountNet.noise,
    status: sent.status,
  }
}
