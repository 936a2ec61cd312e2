/** A lake whose records a test writes by hand, reconciled and published by the real activities. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { createPublish } from '../../../activities/publish.ts'
import { createReconcile } from '../../../activities/reconcile/reconcile.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import type { Run } from '../../../domain/run.ts'
import type { Settings } from '../../../domain/settings.ts'
import { emptyLakeIn, lakeSettingsIn, newFolder } from '../../support/lake-template.ts'
import { plainAccount } from '../../support/plain-account.ts'
import { tempFolder } from '../../support/temp-lake.ts'

export interface Landed {
  /** `id | terminal | created | net | status` */
  settlements?: string
  /** `id | terminal | created | total | flags | settlement`: a refund has a minus; flags are unsettled, void; - for none. */
  transactions?: string
  /** `list | id | gone`, or `back`: a certified sweep of the list no longer has a known record, or has it again. */
  presence?: string
}

export interface BooksWorld {
  settings: Settings
  shared: SharedLake
  /** Lands records with the next number, as a night would. */
  land(records: Landed): Promise<void>
  /** Reconciles and publishes November as of its 30th; answers with the pack's folder. */
  publish(runId: string, more?: Partial<Run>): Promise<string>
}

/** The items of a close checklist that depend on the day of the test. */
export const BY_DAY: readonly string[] = ['month not over', "newest run before the month's end"]

export const NOVEMBER = { from: '2026-11-01', to: '2026-12-01' }

export function newBooksWorld(more: Partial<Settings> = {}): BooksWorld {
  const folder = tempFolder()
  emptyLakeIn(folder)
  return booksIn(folder, 0, more)
}

/**
 * A world that is prepared once for all tests of a file. Each test gets it as it was then, in the same folder, and the
 * result of `prepare`. To copy a world takes no time; to reconcile one takes seconds.
 */
export function preparedBooks<Result extends object>(
  prepare: (books: BooksWorld) => Promise<Result>,
  more: Partial<Settings> = {},
): () => Promise<{ books: BooksWorld } & Result> {
  const folder = newFolder()
  const prepared = `${folder}-prepared`
  let making: Promise<Result & { seq: number }> | undefined
  afterAll(() => {
    for (const path of [folder, prepared]) rmSync(path, { recursive: true, force: true })
  })
  const copied = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true })
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  }
  const make = async () => {
    emptyLakeIn(folder)
    const books = booksIn(folder, 0, more)
    const result = await prepare(books)
    await books.shared.close()
    copied(folder, prepared)
    return { ...result, seq: books.seq() }
  }
  return async () => {
    const { seq, ...result } = await (making ??= make())
    copied(prepared, folder)
    return { ...(result as unknown as Result), books: booksIn(folder, seq, more) }
  }
}

/** The lake and the packs in a folder, in which so many landings have been. */
function booksIn(
  folder: string,
  landed: number,
  more: Partial<Settings>,
): BooksWorld & { seq: () => number } {
  const settings = plainAccount({
    out: join(folder, 'out'),
    lake: lakeSettingsIn(join(folder, 'lake')),
    scheduleAt: '03:00',
    ...more,
  })
  const shared = new SharedLake(settings.lake, () => {})
  onTestFinished(() => shared.close())
  let seq = landed
  return {
    seq: () => seq,
    settings,
    shared,
    async land(records) {
      seq += 1
      await landRecords(shared, seq, records)
    },
    async publish(runId, run = {}) {
      const asked = { runId, account: 'acme', window: NOVEMBER, asOf: '2026-11-30T12:00:00Z' }
      await createReconcile(settings, shared)({ ...asked, ...run })
      const { pack } = await createPublish(settings, shared)({ ...asked, ...run })
      return pack
    },
  }
}

async function landRecords(shared: SharedLake, seq: number, records: Landed): Promise<void> {
  const settlements = cells(records.settlements ?? '')
  const transactions = cells(records.transactions ?? '')
  const presence = cells(records.presence ?? '')
  const count = BigInt(settlements.length + transactions.length)
  const observed = `2026-11-30 0${seq}:00:00`
  await shared.connected((lake, connection) =>
    transact(lake, connection, async () => {
      await connection.run(
        `insert into lake.seen.settlement_version
       select 'acme', row[1]::bigint, row[2]::bigint, row[3]::timestamp, row[4], row[5]::bigint, false, $2, 's', 1, $3::timestamp, $2
       from (${ROWS})`,
        [JSON.stringify(settlements.map(settlementRow)), BigInt(seq), observed],
      )
      await connection.run(
        `insert into lake.seen.transaction_version
         (account, transaction_id, terminal_id, action, status, approved, settled, explicit_settlement_id,
          created, last_modified, base_cents, total_cents, content_hash, sweep_id, ordinal, observed_at, landing_seq)
       select 'acme', row[1]::bigint, row[2]::bigint, row[3], row[4], true, row[5]::boolean, row[6]::bigint,
         row[7]::timestamp, row[7]::timestamp, abs(row[8]::bigint), abs(row[8]::bigint), $2, 't', 1, $3::timestamp, $2
       from (${ROWS})`,
        [JSON.stringify(transactions.map(transactionRow)), BigInt(seq), observed],
      )
      await connection.run(
        `insert into lake.ops.sweep values
         ($1, 'r', 'acme', 'transactions', null, $2, null, $3::timestamp, $3::timestamp, 1, $4, $4, 0, 0, 1, 0, 'CONTIGUOUS', 'x', $2)`,
        [`sweep-${seq}`, BigInt(seq), observed, count],
      )
      await connection.run(
        `insert into lake.ops.landing values ($1, 'acme', $2, 1, $3, $3, 0, $4::timestamp, '')`,
        [BigInt(seq), `sweep-${seq}`, count, observed],
      )
      await connection.run(
        `insert into lake.seen.presence
         select 'acme', row[1], row[2]::bigint, row[3] = 'back', 'p', $3::timestamp, $2 from (${ROWS})`,
        [JSON.stringify(presence), BigInt(seq), observed],
      )
      if (presence.some(([list]) => list === 'settlements')) {
        await connection.run(
          `insert into lake.ops.sweep by name
           select * replace ('settlements' as list, sweep_id || '-of-settlements' as sweep_id, 0 as records, 0 as new_versions) from lake.ops.sweep where landing_seq = $1`,
          [BigInt(seq)],
        )
      }
      await connection.run('update lake.ops.fence set n = $1', [BigInt(seq)])
    }),
  )
}

/** Rows of text, in the order in which they were written. */
const ROWS = `select unnest(from_json($1, '[["VARCHAR"]]')) as row`

const settlementRow = ([id, terminal, created, net = '', status = 'COMPLETE']: string[]) => [
  ...[id, terminal, created, status],
  String(cents(net)),
]

const transactionRow = ([id, terminal, created, total = '', flags = '', of = '']: string[]) => [
  ...[id, terminal, total.startsWith('-') ? 'REFUND' : 'CHARGE'],
  flags.includes('void') ? 'VOID' : 'CAPTURE',
  String(!/unsettled|void/.test(flags)),
  of === '' ? null : of,
  ...[created, String(cents(total))],
]

const cells = (table: string) =>
  table
    .split('\n')
    .map((line) => line.split('|').map((cell) => (cell.trim() === '-' ? '' : cell.trim())))
    .filter((line) => line.length > 1)

const cents = (amount: string) => BigInt(amount.replace('.', ''))
