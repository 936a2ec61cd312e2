/** A check of the service: reads one real page of each list, in the same way as a sweep. */
import { readRecord } from '../../api/record/record.ts'
import { Refusal } from '../../api/http/refusal.ts'
import { createSource, type Source } from '../../api/http/source.ts'
import { Failure, FAILURES } from '../../domain/failure.ts'
import type { List } from '../../domain/run.ts'
import type { Settings } from '../../domain/settings.ts'
import { ensureHashKeys } from '../../workers/config/settings.ts'

/** The person waits, so a later answer counts as a failure. */
const PATIENCE_MS = 15_000

interface ServiceRequest {
  source: Source
  /** Names the terminal if the service refuses the list of all. */
  terminalId: string | undefined
  signal: AbortSignal
}

/**
 * Returns such as `settlements 12` for each list. Throws the failure that a sweep would have, or
 * schema_change if no record can be read.
 */
export async function checkService(settings: Settings, signal: AbortSignal): Promise<string> {
  if (settings.trouble !== undefined) throw settings.trouble
  if (settings.source === undefined) {
    throw new Failure('config_missing', FAILURES.config_missing.remedy)
  }
  const { baseUrl, retryBudget_ms, timeout_ms } = settings.source
  const patient = {
    ...settings.source,
    retryBudget_ms: Math.min(retryBudget_ms, PATIENCE_MS),
    timeout_ms: Math.min(timeout_ms, PATIENCE_MS),
  }
  const source = createSource(patient, { hashKey: ensureHashKeys(settings).first })
  const request: ServiceRequest = { source, terminalId: settings.terminals[0], signal }
  try {
    const found = [await checkList('terminals', request), await checkList('settlements', request)]
    // Transactions from files need no list.
    const isListed = settings.transactionsFrom !== 'import'
    found.push(isListed ? await checkList('transactions', request) : 'transactions not asked for')
    return `${baseUrl}, records on the first page: ${found.join(', ')}`
  } finally {
    await source.close()
  }
}

async function checkList(list: List, request: ServiceRequest): Promise<string> {
  const records = await firstPage(list, request)
  if (records === undefined) return `${list} only terminal by terminal`
  const read = records.map((record) => readRecord(list, record, request.source.hashKey))
  const [reject, ...others] = read.flatMap((one) => ('reject' in one ? [one.reject] : []))
  if (list === 'terminals' && request.terminalId === undefined) {
    const row = read.flatMap((one) => ('row' in one ? [one.row] : []))[0]
    request.terminalId = row?.terminal_id
  }
  if (reject === undefined) return `${list} ${records.length}`
  const rejects = others.length + 1
  if (rejects === records.length) {
    throw new Failure(
      'schema_change',
      `none of the ${rejects} ${list} of the first page can be read; ${reject.field}: ${reject.reason}`,
    )
  }
  return `${list} ${records.length} (${rejects} unreadable, ${reject.field}: ${reject.reason})`
}

/**
 * Asks for one terminal if the service refuses the list of all, as a sweep does; undefined if that
 * is impossible.
 */
async function firstPage(
  list: List,
  { source, terminalId, signal }: ServiceRequest,
): Promise<unknown[] | undefined> {
  const ask = { offset: 0, limit: source.pageSize(list) }
  try {
    return (await source.page(list, ask, signal)).records
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 400)) throw error
    if (list === 'terminals') return undefined
    // No terminal is known, so there is no page to ask for.
    if (terminalId === undefined) throw error
    return (await source.page(list, { ...ask, terminalId }, signal)).records
  }
}
