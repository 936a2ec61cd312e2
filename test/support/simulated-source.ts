import { Secret, type SourceSettings } from '../../domain/settings.ts'
import type { SimulatorOptions } from '../../simulator/world/options.ts'

/** The settings that lead to a simulated service, or to a proxy of one. */
export const simulatedSource = (
  baseUrl: string,
  { credentials: { user, password, applicationKey } }: SimulatorOptions,
  pageSize: number,
): SourceSettings => ({
  baseUrl,
  user,
  password: new Secret(password),
  applicationKey: new Secret(applicationKey),
  paths: { terminals: '/terminals', settlements: '/settlements', transactions: '/transactions' },
  ...{ query: {}, headers: {}, pageSize, timeout_ms: 20_000, retryBudget_ms: 5_000 },
})
