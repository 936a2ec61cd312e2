/** Where an account's transactions come from: the service's list, or what was imported. */
import { Refusal } from '../../api/http/refusal.ts'
import { Failure } from '../../domain/failure.ts'
import type { SweepRequest, SweepResult } from '../../domain/run.ts'
import type { Settings } from '../../domain/settings.ts'

/**
 * Sweeps, unless the list is that of transactions and these are imported: then nothing is asked for. A service without
 * that list is told how to go without it.
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
  // The first answer of all, which proves no service yet.
  (error instanceof Failure &&
    error.code === 'source_not_the_service' &&
    /\(404\)/.test(error.message))

const importInstead = (cause: Failure) =>
  new Failure('source_refused', `the service has no list of transactions: ${cause.message}`, {
    cause,
    remedy:
      'set transactions.source: import in the config file and bring the transactions with tieout import FILE',
  })
