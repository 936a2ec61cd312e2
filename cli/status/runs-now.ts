/** The state of each account in Temporal: running work, the last ended run, the schedule. */
import { Failure } from '../../domain/failure.ts'
import type { Settings } from '../../domain/settings.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { lastingService } from '../../workers/engine.ts'
import { typed } from '../shell/typed-command.ts'
import type { AccountRuns } from './account-runs.ts'

export type Reached =
  | { reached: true; address: string; namespace: string; accounts: Map<string, AccountRuns> }
  /** `exit` is 0 if no service is configured and none is running, since that is no failure. */
  | { reached: false; why: string; exit: number }

const NO_SERVER = {
  ...{ reached: false as const, exit: 0 },
  why: typed('no server is running; start one with tieout worker, or set TEMPORAL_ADDRESS'),
}

/**
 * Asks the configured service, or the server of a worker or of a command in another terminal. If
 * the service can't be reached, the answer says so and nothing is thrown.
 */
export async function runsNow(
  accounts: readonly [Settings, ...Settings[]],
  signal: AbortSignal,
): Promise<Reached> {
  try {
    const service = await lastingService(accounts[0], true)
    if (service === undefined) return NO_SERVER
    const { namespace } = service
    const address = service.connection.address ?? ''
    const { withClient } = await import('../../workers/temporal/with-client.ts')
    const { lookAt } = await import('./account-runs.ts')
    return await withClient(
      service,
      ({ client, until }) =>
        until(aborted(signal), async () => {
          const found = await lookAt(client, accounts)
          return { reached: true, address, namespace, accounts: found }
        }),
      signal,
    )
  } catch (error) {
    signal.throwIfAborted()
    // A command that ended meanwhile took its server along.
    if ((await lastingService(accounts[0], true)) === undefined) return NO_SERVER
    const { reportOf } = await import('../shell/failures.ts')
    const { exit } = reportOf(error)
    const why = error instanceof Failure ? error.message : 'Temporal stopped answering'
    return { reached: false, why, exit }
  }
}
