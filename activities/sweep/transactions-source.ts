/** The source of an account's transactions: the service's list, or imported files. */
import { Refusal } from '../../api/http/refusal.ts'
import { Failure } from '../../domain/failure.ts'
import type { SweepRequest, SweepResult } from '../../domain/run.ts'
import type { Settings } from '../../domain/settings.ts'

/**
 * Sweeps a list, except transactions that are imported. If the service has no such list, the error
 * explains the import.
 */
export async function sweptOrImported(
  { transactionsFrom }: Pick<Settings, 'transactionsFrom'>,
  { list, pass }: SweepRequest,
  sweep: () => Promise<SweepResult>,
): Promise<SweepResult> {
  if (list !== 'transactions') return sweep()
  if (transactionsFrom === 'import') {
    return { list, pass, done: true, records: 0, newVersions: 0, quarantined: 0, requests: 0 }
  }
  try {
    return await sweep()
  } catch (error) {
    throw isWithoutList(error) ? importInstead(error) : error
  }
}

const isWithoutList = (error: unknown): error is Failure =>
  (error instanceof Refusal && error.isAboutAddress) ||
  // A failure of the very first request does not yet prove that this is the service.
  (error instanceof Failure &&
    error.code === 'source_not_the_service' &&
    /\(404\)/.test(error.message))

const importInstead = (cause: Failure) =>
  new Failure('source_refused', `the service has no list of transactions: ${cause.message}`, {
    cause,
    remedy:
      'set transactions.source: import in the config file, and load the transactions with tieout import FILE',
  })
