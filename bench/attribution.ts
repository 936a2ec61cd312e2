/**
 * Measures the share of a history that is attributed correctly, for drawn histories whose truth is known. Call:
 * `npm run bench:attribution -- --transactions 1000000`. Prints a line for each kind of history, and JSON as the last
 * line.
 *
 * `--only` selects histories by a part of their names. `--curve` measures late captures instead, up to 0.5 % at 50 to
 * 4,000 transactions per terminal and day. `--write-docs` puts the table into docs/attribution.md.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { LakeSettings } from '../domain/settings.ts'
import { neededFor, readModels, runModels } from '../lake/run/models.ts'
import { openLake } from '../lake/connection/open.ts'
import { prepareHistory } from './generated-history.ts'
import { drawHistory, landHistory, type DrawnHistory } from './drawn-history.ts'
import { lakeIn } from './lake.ts'
import { writeSection } from './performance-page.ts'
import { bindViews } from '../test/support/bind-views.ts'

/** The results for one history: COMPLETE settlements, and transactions that belong to a settlement. */
export interface Found {
  settlements: number
  errors: number
  /** Wrong nets whose verdict is neither EXPLAINED nor BREAK, and those explained by another amount. */
  errors_missed: number
  errors_by_another_amount: number
  /** Right nets whose verdict is BREAK, or EXPLAINED. */
  called_break: number
  called_explained: number
  /**
   * Settlements with the certificate UNIQUE but other members than in truth, unless exactly these explain their
   * difference.
   */
  wrongly_unique: number
  transactions: number
  placed_truly: number
}

type Kind = Omit<DrawnHistory, 'transactions'>

const PLAIN: Kind = {
  perDay: 50,
  days: 60,
  errors: 0.01,
  late: 0,
  sweeps: 'one',
  settlementsPerDay: 1,
  flips: 'created',
  modifies: 'never',
}

const NIGHTLY: Kind = { ...PLAIN, sweeps: 'nightly', late: 0.001 }

/** The histories for which attribution has aims. */
export const HISTORIES: readonly [name: string, kind: Kind][] = [
  ['read each night', NIGHTLY],
  ['read each night, flag by COMPLETE', { ...NIGHTLY, flips: 'complete' }],
  ['read each night, lastModified moves', { ...NIGHTLY, modifies: 'settlement' }],
  ['read each night, two settlements a day', { ...NIGHTLY, settlementsPerDay: 2 }],
  ['read four nights of five', { ...NIGHTLY, sweeps: 'gaps' }],
  ...[1, 2, 3, 5].map((bankingDays): [string, Kind] => [
    `read once, ${bankingDays} banking days`,
    { ...PLAIN, bankingDays, errors: 0.02 },
  ]),
  ...[1, 3].map((bankingDays): [string, Kind] => [
    `read each night, ${bankingDays} banking days`,
    { ...NIGHTLY, bankingDays, errors: 0.02 },
  ]),
  ['read once, 2 banking days, 5 % errors', { ...PLAIN, bankingDays: 2, errors: 0.05 }],
  ['read once, 2 banking days, 833 a day', { ...PLAIN, bankingDays: 2, errors: 0.05, perDay: 833 }],
  [
    'read each night, 2 banking days, flag by COMPLETE',
    { ...NIGHTLY, bankingDays: 2, errors: 0.02, flips: 'complete' },
  ],
  ['read once', PLAIN],
  ['read once, 5 % errors', { ...PLAIN, errors: 0.05 }],
  ['read once, 5 % errors, flag by COMPLETE', { ...PLAIN, errors: 0.05, flips: 'complete' }],
  ['read once, 5 % errors, 833 a day', { ...PLAIN, errors: 0.05, perDay: 833 }],
  ['read once, 2 % errors, 4,000 a day', { ...PLAIN, errors: 0.02, perDay: 4000 }],
  ['read once, 0.1 % late', { ...PLAIN, late: 0.001 }],
  ['read once, 0.1 % late, moves at capture', { ...PLAIN, late: 0.001, modifies: 'capture' }],
  ['read once, 0.1 % late, moves at settlement', { ...PLAIN, late: 0.001, modifies: 'settlement' }],
]

const CURVE: readonly [string, Kind][] = [50, 250, 1000, 4000].flatMap((perDay) =>
  [0.0005, 0.001, 0.002, 0.005].map((late): [string, Kind] => [
    `${perDay} a day, ${late * 100} % late`,
    { ...PLAIN, perDay, late },
  ]),
)

export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: '1000000' },
      only: { type: 'string', default: '' },
      curve: { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
    },
  })
  const results: Record<string, Found> = {}
  for (const [name, kind] of values.curve ? CURVE : HISTORIES) {
    if (!name.includes(values.only)) continue
    const found = await attributed({ ...kind, transactions: Number(values.transactions) })
    results[name] = found
    console.log(lineOf(name, found))
  }
  if (values['write-docs']) {
    const bench = values.curve ? 'bench:attribution, late captures' : 'bench:attribution'
    writeSection('docs/attribution.md', bench, tableOf(results))
  }
  console.log(JSON.stringify({ transactions: Number(values.transactions), histories: results }))
  return 0
}

/** Returns the table of the page, with a row for each history. */
const tableOf = (results: Record<string, Found>): string =>
  [
    '| history | errors found | by another amount | called BREAK or EXPLAINED though right | placed truly | UNIQUE, but not so |',
    '|---|---|---|---|---|---|',
    ...Object.entries(results).map(
      ([name, found]) =>
        `| ${name} | ${found.errors - found.errors_missed} of ${found.errors} | ${found.errors_by_another_amount} | ${found.called_break + found.called_explained} (${percent(found.called_break + found.called_explained, found.settlements, 2)}) | ${percent(found.placed_truly, found.transactions, 4)} | ${found.wrongly_unique} |`,
    ),
  ].join('\n')

const percent = (part: number, whole: number, digits: number) =>
  `${((part / whole) * 100).toFixed(digits)} %`

const lineOf = (name: string, found: Found): string =>
  [
    name.padEnd(46),
    `${found.errors - found.errors_missed} of ${found.errors} errors, ${found.errors_by_another_amount} by another amount`,
    `${found.called_break + found.called_explained} invented (${percent(found.called_break, found.settlements, 2)} BREAK)`,
    `${percent(found.placed_truly, found.transactions, 4)} truly`,
    `${found.wrongly_unique} wrongly UNIQUE`,
  ].join(' | ')

/**
 * Draws a history, lands it, attributes it, and compares the result with the truth. Without an empty lake it makes one.
 */
export async function attributed(history: DrawnHistory, empty?: LakeSettings): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-bench-'))
  const lake = await openLake(empty ?? lakeIn(folder, '8GB'))
  try {
    const connection = await lake.connect()
    await drawHistory(connection, history)
    await landHistory(connection, history)
    await attribute(connection)
    return await compare(connection)
  } finally {
    lake.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function attribute(connection: DuckDBConnection): Promise<void> {
  // A large lake has two: the order of rows must not matter.
  await connection.run('set threads = 2')
  await prepareHistory(connection, 1_000_000n)
  const models = neededFor(readModels(), ['tieout'])
  await bindViews(connection, models)
  await runModels(connection, models)
}

async function compare(connection: DuckDBConnection): Promise<Found> {
  const reader = await connection.runAndReadAll(
    `with placed as (
       select drawn_member.settlement_id, coalesce(attribution.settlement_id = drawn_member.settlement_id, false) as is_true
       from drawn_member left join attribution using (transaction_id)
       where drawn_member.settlement_id is not null),
     sides as (
       select transaction_id, unnest([drawn_member.settlement_id, attribution.settlement_id]) as settlement_id
       from attribution inner join drawn_member using (transaction_id)
       where attribution.settlement_id is distinct from drawn_member.settlement_id),
     strayed as (
       select settlement_id, string_agg(transaction_id, ';' order by transaction_id) as ids from sides group by settlement_id),
     judged as (
       select tieout.*, error_cents, strayed.ids as strayed_ids
       from tieout inner join drawn_settlement using (settlement_id) left join strayed using (settlement_id) where status = 'COMPLETE')
     select count(*)::integer as settlements,
       count(*) filter (error_cents <> 0)::integer as errors,
       count(*) filter (error_cents <> 0 and verdict not in ('EXPLAINED', 'BREAK'))::integer as errors_missed,
       count(*) filter (error_cents <> 0 and verdict in ('EXPLAINED', 'BREAK') and abs(difference_cents) <> error_cents)::integer as errors_by_another_amount,
       count(*) filter (error_cents = 0 and verdict = 'BREAK')::integer as called_break,
       count(*) filter (error_cents = 0 and verdict = 'EXPLAINED')::integer as called_explained,
       count(*) filter (certificate = 'UNIQUE' and strayed_ids is not null
         and (verdict <> 'EXPLAINED' or explained_by is distinct from strayed_ids))::integer as wrongly_unique,
       (select count(*) from placed)::integer as transactions,
       (select count(*) filter (is_true) from placed)::integer as placed_truly
     from judged`,
  )
  const [found] = reader.getRowObjectsJS()
  return found as unknown as Found
}
