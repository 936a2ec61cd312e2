/**
 * Goal: a settlement is judged only if its imported transactions are known. Method: small tables of files and sweeps.
 */
import { expect, test } from 'vitest'
import { bindInputs } from '../../../lake/run/bind-inputs.ts'
import { prepareModels, readModels, runModels } from '../../../lake/run/models.ts'
import { recordText } from '../api/records.ts'
import { run } from '../../support/models.ts'
import { importer } from './exports.ts'
import { runVariables } from '../../support/run-variables.ts'

const IMPORTED =
  'list varchar | exported_at timestamp | complete_from timestamp | earliest timestamp | landing_seq bigint'
const SETTLEMENTS = `settlement_id bigint | terminal_id bigint | created timestamp | ordinal bigint
  1 | 41 | 2026-11-01 00:00:00 | 1
  2 | 41 | 2026-11-02 00:00:00 | 2
  3 | 41 | 2026-11-03 00:00:00 | 3
  4 | 41 | 2026-11-04 00:00:00 | 4
  5 | 42 | 2026-11-02 00:00:00 | 1`
const VERSIONS = 'settlement_id bigint | status varchar | observed_at timestamp'
const SWEEP = 'list varchar | landing_seq bigint'

async function judged(
  imported: string,
  more: { versions?: string; sweep?: string } = {},
): Promise<string> {
  const rows = await run('imported_settlement', {
    current_settlement: SETTLEMENTS,
    imported_file: `${IMPORTED}\n${imported}`,
    settlement_version: `${VERSIONS}\n${more.versions ?? ''}`,
    sweep: `${SWEEP}\n${more.sweep ?? ''}`,
    terminal_reach: 'terminal_id bigint | reach_hours bigint\n7 | 12\n8 | 12\n41 | 12\n42 | 12',
  })
  return rows
    .map((row) => row['settlement_id'])
    .sort()
    .join(' ')
}

test('a settlement is judged if it lies between half a day after the first imported record and the export', async () => {
  expect(await judged('transactions | 2026-11-03 12:00:00 | | 2026-10-31 12:00:00 | 5')).toBe(
    '2 3 5',
  )
  expect(await judged('transactions | 2026-11-03 12:00:00 | | 2026-10-31 12:00:01 | 5')).toBe('3')
  expect(await judged('transactions | 2026-11-04 00:00:00 | | 2026-10-01 00:00:00 | 5')).toBe(
    '1 2 3 4 5',
  )
  expect(await judged('settlements  | 2026-11-04 00:00:00 | | 2026-10-01 00:00:00 | 5')).toBe('')
})

test('imported history begins at the date from which the files are declared complete', async () => {
  expect(
    await judged(
      'transactions | 2026-11-03 12:00:00 | 2026-10-31 12:00:00 | 2026-11-02 10:00:00 | 5',
    ),
  ).toBe('2 3 5')
})

test('a settlement that was PENDING at the time of the export is not judged by it', async () => {
  const imported = 'transactions | 2026-11-03 12:00:00 | | 2026-10-01 00:00:00 | 5'
  const versions = `2 | PENDING  | 2026-11-03 11:59:59
    2 | COMPLETE | 2026-11-03 13:00:00
    3 | PENDING  | 2026-11-03 12:00:00
    3 | COMPLETE | 2026-11-03 13:00:00`
  expect(await judged(imported, { versions })).toBe('1 2 5')
})

test('a file judges nothing after a later sweep of transactions, and an earlier sweep changes nothing', async () => {
  const imported = 'transactions | 2026-11-03 12:00:00 | | 2026-10-01 00:00:00 | 5'
  expect(await judged(imported, { sweep: 'transactions | 6' })).toBe('')
  expect(await judged(imported, { sweep: 'transactions | 4\nsettlements | 9' })).toBe('1 2 3 5')
})

/** Imports one record per file, and answers what is covered. */
async function historyOf(files: [exportedAt: string, completeFrom?: string][]): Promise<unknown> {
  const { bring, connection, rows } = await importer()
  for (const [at, [exportedAt, completeFrom]] of files.entries()) {
    const record = recordText('transactions', 'transactionId', String(at + 1))
    const word = completeFrom === undefined ? {} : { completeFrom }
    await bring(record, { exportedAt, ...word })
  }
  await prepareModels(connection, runVariables({ known_at: 99n }))
  const models = readModels().filter(({ name }) =>
    /^(business_calendar|sweep_scope|history_coverage)$/.test(name),
  )
  await bindInputs(connection, models)
  await runModels(connection, models)
  return (await rows('from history_coverage'))[0]
}

test('history begins with declared complete files, after the last time that no file covers', async () => {
  expect(await historyOf([['2026-11-03T12:00:00Z']])).toEqual({
    covered: false,
    history_from: null,
    history_until: null,
  })
  const second = ['2026-11-01T00:00:00Z', '2026-06-01T00:00:00Z'] as [string, string]
  expect(await historyOf([['2026-06-01T00:00:00Z', '2026-01-01T00:00:00Z'], second])).toEqual({
    covered: false,
    history_from: '2026-01-01 00:00:00',
    history_until: 'infinity',
  })
  expect(await historyOf([['2026-05-31T23:59:59Z', '2026-01-01T00:00:00Z'], second])).toEqual({
    covered: false,
    history_from: '2026-06-01 00:00:00',
    history_until: 'infinity',
  })
  // A file after it that is not declared complete may leave out anything.
  expect(
    await historyOf([['2026-06-01T00:00:00Z', '2026-01-01T00:00:00Z'], ['2026-11-03T12:00:00Z']]),
  ).toEqual({
    covered: false,
    history_from: '2026-01-01 00:00:00',
    history_until: '2026-06-01 00:00:00',
  })
})
