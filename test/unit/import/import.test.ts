/** Goal: an import counts once, and beside sweeps. Method: real imports into a real lake, before and after sweeps. */
import { appendFileSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseJson } from '../../../api/json/json.ts'
import { readRecord } from '../../../api/record/record.ts'
import { DEFAULT_READING, type ImportOrder } from '../../../domain/import.ts'
import { linesOf } from '../../../cli/import/text.ts'
import { importFile } from '../../../lake/import/import-file.ts'
import { land } from '../../../lake/landing/land.ts'
import { type Landing, type SweepEnd } from '../../../lake/landing/landing.ts'
import { importStatus } from '../../../lake/results/status.ts'
import { HASH_KEY } from '../api/records.ts'
import { importer, type Importer } from './exports.ts'

const record = (id: number, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    transactionId: id,
    terminalId: 41,
    action: 'CHARGE',
    status: 'CAPTURE',
    created: '2026-11-01T10:00:00Z',
    amountTotal: '12.30',
    response: { approved: true },
    settlement: { settled: false },
    billing: { firstName: 'Ada', lastName: 'Lovelace', address: { zip: '02134' } },
    ...more,
  })

const END: SweepEnd = {
  startedSeq: '0',
  coversFrom: null,
  startedAt: '2026-11-01T12:00:00.000Z',
  endedAt: '2026-11-01T12:00:01.000Z',
  pages: 1,
  records: 1,
  quarantined: 0,
  rewinds: 0,
  requests: 1,
  throttled: 0,
  certificate: 'CONTIGUOUS',
  bodiesSha256: 'ab',
}

let sweeps = 0

/** Lands records as a sweep that began and ended at `at` does. */
async function swept(
  { lake, connection }: Importer,
  at: string,
  records: readonly string[],
): Promise<void> {
  const read = records.map((text) => readRecord('transactions', parseJson(text), HASH_KEY))
  const landing: Landing = {
    account: 'acme',
    runId: `r${(sweeps += 1)}`,
    sweepId: `r${sweeps}/transactions/1`,
    list: 'transactions',
    batch: 0,
    rows: read.flatMap((one) => ('row' in one ? [one.row] : [])),
    rejects: read.flatMap((one) => ('reject' in one ? [one.reject] : [])),
    pages: [],
    state: {},
    observedAt: at,
    end: { ...END, startedAt: at, endedAt: at },
  }
  await land(lake, connection, landing)
}

const BEFORE = '2026-11-01T12:00:00.000Z'
const AFTER = '2026-11-03T12:00:00.000Z'
const NEWEST = `select transaction_id as id, arg_max(total_cents, landing_seq) as cents, count(*) as versions
  from lake.seen.transaction_version group by 1 order by 1`

test('a second import of the same file changes nothing, even under another name', async () => {
  const { bring, rows } = await importer()
  const text = [record(1), record(2), record(3, { amountTotal: 'x' })].join('\n')
  const first = await bring(text)
  expect(first).toMatchObject({ landed: true, rows: 3, newVersions: 2, quarantined: 1 })
  const all = `select (select count(*) from lake.seen.transaction_version) as versions, (select count(*) from lake.seen.quarantine) as rejects,
    (select n from lake.ops.fence) as fence, (select count(*) from lake.ops.imported_file) as files`
  const before = await rows(all)
  const { rejects, absentFields, ...again } = first
  expect(absentFields).toEqual(['amountBase', 'vault.type'])
  expect(rejects).toMatchObject([{ line: 3, field: 'amountTotal' }])
  expect(await bring(text)).toEqual({
    ...again,
    file: expect.any(String),
    landed: false,
    newVersions: 0,
  })
  expect(await rows(all)).toEqual(before)
})

test('a record refused under one version of the schemas is judged again when its file is imported under the next', async () => {
  const { lake, folder, rows } = await importer()
  const file = join(folder, 'export.ndjson')
  // A name in Greek is judged by the reader of records: the first version refuses its record, the next one reads it.
  const greek = { billing: { firstName: 'Ὀδυσσεύς' } }
  const texts = [record(1), record(2, greek), record(3, { amountTotal: 'x' })]
  writeFileSync(file, texts.join('\n'))
  const order: ImportOrder = {
    ...{ account: 'acme', list: 'transactions', format: 'ndjson', file, exportedAt: BEFORE },
  }
  const judgedBy = (schemaVersion: number) =>
    importFile(order, {
      ...{
        lake,
        reading: DEFAULT_READING,
        hashKeys: { first: HASH_KEY, later: [] },
        schemaVersion,
        knownWords: {},
      },
      ...{ spellings: {}, currency: 'USD', timezone: 'UTC' },
      judgeFor: () => (suspects) =>
        suspects.map(({ rowNo, evidence }) => {
          const isRefused = schemaVersion === 1 && evidence.includes('Ὀδυσσεύς')
          const [line]: [string] = JSON.parse(evidence)
          const text = isRefused ? record(2, { amountTotal: 'y' }) : line
          return { rowNo, ...readRecord('transactions', parseJson(text), HASH_KEY) }
        }),
    })
  const first = await judgedBy(1)
  expect(first).toMatchObject({ landed: true, newVersions: 1, quarantined: 2 })
  expect(await judgedBy(1)).toMatchObject({ landed: false })
  const second = await judgedBy(2)
  expect(second).toMatchObject({ landed: true, newVersions: 1, quarantined: 1, older: 0 })
  expect(await rows(NEWEST)).toEqual([
    { id: '1', cents: '1230', versions: '1' },
    { id: '2', cents: '1230', versions: '1' },
  ])
  expect(
    await rows(
      'select subject_id, schema_version from lake.seen.quarantine order by landing_seq, subject_id',
    ),
  ).toEqual([
    { subject_id: '2', schema_version: 1 },
    { subject_id: '3', schema_version: 1 },
    { subject_id: '3', schema_version: 2 },
  ])
  expect(await judgedBy(2)).toMatchObject({ landed: false })
})

test.each([
  ['grows', (file: string) => appendFileSync(file, `\n${record(3)}`)],
  ['has other bytes', (file: string) => writeFileSync(file, record(1, { amountTotal: '13.00' }))],
  ['is another file', (file: string) => renameSync(`${file}.next`, file)],
  ['is gone', (file: string) => rmSync(file)],
])(
  'a file that %s after its hash was taken is refused, and nothing lands',
  async (_what, change) => {
    const { lake, folder, rows } = await importer()
    const file = join(folder, 'export.ndjson')
    // A name in Greek is judged by itself, so that the file can change in the middle of its reading.
    const text = record(1, { billing: { firstName: 'Ὀδυσσεύς' } })
    for (const path of [file, `${file}.next`]) {
      writeFileSync(path, text)
      utimesSync(path, 1_790_000_000, 1_790_000_000)
    }
    const order = { account: 'acme', list: 'transactions', format: 'ndjson', file } as const
    const read = importFile(order, {
      ...{ lake, reading: DEFAULT_READING, hashKeys: { first: HASH_KEY, later: [] } },
      ...{ knownWords: {}, spellings: {}, currency: 'USD', timezone: 'UTC' },
      judgeFor: () => (suspects) => {
        change(file)
        return suspects.map(({ rowNo }) => ({
          rowNo,
          ...readRecord('transactions', parseJson(text), HASH_KEY),
        }))
      },
    })
    await expect(read).rejects.toMatchObject({
      code: 'import_unreadable',
      message: `${file}: the file was changed while it was read; import it again when it is whole`,
    })
    expect(await rows('select 1 from lake.ops.landing')).toEqual([])
  },
)

test('a file without records is refused, and nothing lands', async () => {
  const { bring, rows } = await importer()
  const noRecords = {
    code: 'import_unreadable',
    message: expect.stringContaining('has no records'),
  }
  await expect(bring('\n')).rejects.toMatchObject(noRecords)
  const header = 'transactionId,terminalId,action,status,created,amountTotal\n'
  await expect(bring(header, { format: 'csv' })).rejects.toMatchObject(noRecords)
  expect(await rows('select 1 from lake.ops.landing')).toEqual([])
})

test('unknown words are counted by name, and free text is not shown', async () => {
  const { bring } = await importer()
  const said = [
    { action: 'REVERSAL' },
    { action: 'REVERSAL', status: 'Ada Lovelace' },
    { vault: { type: 'WALLET' }, method: 'ANY_METHOD' },
    { achType: '', status: 'VOID' },
  ]
  const file = await bring(said.map((fields, at) => record(at + 1, fields)).join('\n'))
  expect(file).toMatchObject({ newVersions: 4, quarantined: 0 })
  expect(file.unknownWords).toEqual({
    'action=REVERSAL': 2,
    'status=(unprintable)': 1,
    'vault.type=WALLET': 1,
  })
  expect(linesOf([file])[1]).toMatch(
    /holds fields or values that the known interface doesn't have: action=REVERSAL \(2\), status=\(unprintable\) \(1\), vault/,
  )
  expect(await bring(record(9))).not.toHaveProperty('unknownWords')
})

test('two simultaneous imports of one file land it once', async () => {
  const place = await importer()
  const text = Array.from({ length: 500 }, (_, at) => record(at + 1)).join('\n')
  const outcomes = await Promise.all([place.bring(text), place.bring(text)])
  expect(outcomes.filter(({ landed }) => landed)).toHaveLength(1)
  expect(await place.rows('select count(*) as n from lake.seen.transaction_version')).toEqual([
    { n: '500' },
  ])
})

test('a file read with other settings is another import, and its equal records bring nothing', async () => {
  const { bring, rows } = await importer()
  await bring(record(1))
  const columns = { method: 'entry' }
  const again = await bring(record(1), { reading: { columns } })
  expect(again).toMatchObject({ landed: true, rows: 1, newVersions: 0, differing: 0 })
  expect(await rows(NEWEST)).toEqual([{ id: '1', cents: '1230', versions: '1' }])
})

test('a swept record with equal content is no new version, whatever the order of its fields', async () => {
  const place = await importer()
  await swept(place, BEFORE, [record(1), record(2)])
  const turned = record(2).replace(/^\{(.*),("billing".*)\}$/, '{$2,"note":"unknown",$1}')
  expect(turned).not.toBe(record(2))
  expect(await place.bring([record(1), turned, record(3)].join('\n'))).toMatchObject({
    rows: 3,
    newVersions: 1,
    differing: 0,
    older: 0,
  })
})

test('a record that differs from an earlier sweep is counted, and becomes the newest version, with the import as its origin', async () => {
  const place = await importer()
  await swept(place, BEFORE, [record(1), record(2)])
  const result = await place.bring([record(1, { amountTotal: '13.00' }), record(2)].join('\n'))
  expect(result).toMatchObject({ newVersions: 1, differing: 1, older: 0 })
  expect(await place.rows(NEWEST)).toEqual([
    { id: '1', cents: '1300', versions: '2' },
    { id: '2', cents: '1230', versions: '1' },
  ])
  const origin =
    'select sweep_id, observed_at from lake.seen.transaction_version where total_cents = 1300'
  expect(await place.rows(origin)).toEqual([
    { sweep_id: result.sweepId, observed_at: '2026-11-02 00:00:00' },
  ])
})

test('a record that differs from a later sweep is counted, and changes nothing', async () => {
  const place = await importer()
  await swept(place, AFTER, [record(1, { settlement: { settled: true } })])
  const result = await place.bring([record(1), record(2)].join('\n'))
  expect(result).toMatchObject({ newVersions: 1, differing: 1, older: 1 })
  expect(
    await place.rows(
      'select transaction_id as id, settled from lake.seen.transaction_version order by 1',
    ),
  ).toEqual([
    { id: '1', settled: true },
    { id: '2', settled: false },
  ])
})

test('a version that a later certified sweep confirms is newer than the export too', async () => {
  const place = await importer()
  await swept(place, BEFORE, [record(1)])
  await swept(place, AFTER, [record(1)])
  const stale = record(1, { amountTotal: '99.00' })
  expect(await place.bring(stale)).toMatchObject({ newVersions: 0, differing: 1, older: 1 })
  expect(await place.bring(`${stale}\n`, { exportedAt: '2026-11-04T00:00:00.000Z' })).toMatchObject(
    {
      newVersions: 1,
      differing: 1,
      older: 0,
    },
  )
})

test('a later sweep limited to other terminals confirms no version', async () => {
  const place = await importer()
  await swept(place, BEFORE, [record(1)])
  await swept(place, AFTER, [record(2, { terminalId: 42 })])
  await place.connection.run(
    `insert into lake.ops.limited_sweep select account, sweep_id, 42, landing_seq from lake.ops.sweep
     order by landing_seq desc limit 1`,
  )
  const changed = record(1, { amountTotal: '99.00' })
  expect(await place.bring(changed)).toMatchObject({ newVersions: 1, differing: 1, older: 0 })
})

test('an export counts as made when its file was last written', async () => {
  const place = await importer()
  await swept(place, '2020-01-01T00:00:00.000Z', [record(1)])
  const file = join(place.folder, 'now.ndjson')
  writeFileSync(file, record(1, { amountTotal: '13.00' }))
  await place.importFile({ file, exportedAt: undefined })
  const [kept] = await place.rows('select exported_at, started_at from lake.ops.imported_file')
  const lag_ms =
    Date.parse(`${String(kept?.['started_at'])}Z`) - Date.parse(`${String(kept?.['exported_at'])}Z`)
  expect(Math.abs(lag_ms)).toBeLessThan(60_000)
})

test('the newest import of a list is the file that was exported last, whichever came first', async () => {
  const { bring, connection } = await importer()
  await bring([record(1), record(2)].join('\n'), { exportedAt: '2026-11-09T08:00:00.000Z' })
  await bring(record(3), { exportedAt: '2026-11-04T08:00:00.000Z' })
  expect(await importStatus(connection, 'acme')).toEqual([
    {
      ...{ list: 'transactions', exportedAt: '2026-11-09T08:00:00Z' },
      ...{ records: 2, quarantined: 0 },
    },
  ])
  expect(await importStatus(connection, 'bolt')).toEqual([])
})

test('the last of several lines of one record counts, and a state that returns is a version again', async () => {
  const { bring, rows } = await importer()
  const lines = [
    record(1),
    record(1, { amountTotal: '13.00' }),
    record(1, { amountTotal: '13.00' }),
    record(1),
  ]
  const result = await bring([...lines, record(2), record(2)].join('\n'))
  expect(result).toMatchObject({ rows: 6, newVersions: 4, differing: 1, older: 0 })
  expect(linesOf([result])[0]).toMatch(
    /4 new or changed, 1 differed from the known version or from another line of the file$/,
  )
  const last = `select arg_max(total_cents, ordinal) as cents from lake.seen.transaction_version where transaction_id = 1`
  expect(await rows(last)).toEqual([{ cents: '1230' }])
})

test('a good record ends the quarantine of a swept one, and a bad record starts none after a later good sweep', async () => {
  const place = await importer()
  await swept(place, BEFORE, [record(1), record(2)])
  await swept(place, '2026-11-01T13:00:00.000Z', [record(1, { amountTotal: 'x' })])
  expect(await place.bring(record(1))).toMatchObject({ newVersions: 1, differing: 0 })
  await swept(place, AFTER, [record(2, { amountTotal: '14.00' })])
  const both = [record(1), record(2, { amountTotal: 'y' })].join('\n')
  expect(await place.bring(both)).toMatchObject({ quarantined: 1 })
  expect(
    await place.rows(`select subject_id from lake.seen.quarantine where sweep_id like 'import%'`),
  ).toEqual([])
})

test('another account may import the same file', async () => {
  const { bring, importFile, folder, rows } = await importer()
  await bring(record(1))
  await importFile({ file: `${folder}/export-1`, account: 'other' })
  expect(await rows('select account from lake.seen.transaction_version order by 1')).toEqual([
    { account: 'acme' },
    { account: 'other' },
  ])
})

test('a file can be declared complete later, and the declaration is stored with it', async () => {
  const { bring, rows } = await importer()
  await bring(record(1))
  const completeFrom = '2026-01-01T00:00:00.000Z'
  expect(await bring(record(1), { completeFrom })).toMatchObject({ landed: true, newVersions: 0 })
  expect(await bring(record(1), { completeFrom })).toMatchObject({ landed: false })
  expect(await rows('select complete_from from lake.ops.imported_file order by 1')).toEqual([
    { complete_from: '2026-01-01 00:00:00' },
    { complete_from: null },
  ])
})

test('an import leaves no temporary file and no personal data behind', async () => {
  const { bring, lake, rows } = await importer()
  await bring([record(1), record(2, { amountTotal: 'x', invoiceNumber: 'Zoë' })].join('\n'))
  const scratch = readdirSync(join(lake.settings.folder, 'scratch'))
  expect(scratch.filter((name) => name.startsWith('import'))).toEqual([])
  expect(
    JSON.stringify([
      await rows('from lake.seen.transaction_version'),
      await rows('from lake.seen.quarantine'),
    ]),
  ).not.toMatch(/Ada|Lovelace|02134/)
})
