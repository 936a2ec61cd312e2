import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linesOf } from '../../../cli/inspect/diff.ts'
import { diffPacks } from '../../../reports/diff-packs.ts'
import {
  aboutOf,
  packFrom,
  exception,
  journalLine,
  settlement,
  sourceOf,
  worldOf,
} from '../../unit/reports/fake-source.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const MARCH = { from: '2026-03-01', to: '2026-04-01' }

const publish = (
  runId: string,
  more: Parameters<typeof worldOf>[0] = {},
  about: Parameters<typeof aboutOf>[1] = {},
) => packFrom(sourceOf(worldOf(more)), aboutOf(tempFolder(), { runId, window: MARCH, ...about }))

const BROKEN = settlement({
  reportedNet: '150.00',
  difference: '-20.00',
  verdict: 'BREAK',
  unexplainedAmount: '-20.00',
})
const entry = (id: string, cents: string) => [
  journalLine({ entryId: id, account: '1110', debit: cents }),
  journalLine({ entryId: id, account: '1100', credit: cents }),
]

test('a diff shows all changes: a break that ties now, an exception gone and a new one, a line of another amount', async () => {
  const first = await publish('first', {
    settlements: [BROKEN, settlement({ settlementId: '905' })],
    exceptions: [exception(), exception({ exceptionId: 'e2', subjectId: '902', ageDays: '4' })],
    journal: [...entry('S-900', '150.00'), ...entry('S-905', '130.00')],
  })
  const second = await publish('second', {
    settlements: [settlement(), settlement({ settlementId: '906' })],
    exceptions: [
      exception({ exceptionId: 'e2', subjectId: '902', ageDays: '5' }),
      exception({
        exceptionId: 'e3',
        subjectId: '903',
        code: 'PENDING_STALE',
        severity: 'warning',
      }),
    ],
    journal: [...entry('S-900', '130.00'), ...entry('S-906', '130.00')],
  })
  expect(linesOf(await diffPacks(first, second))).toEqual([
    'account demo, 2026-03-01 to 2026-04-01',
    '- first, 2026-03-01 to 2026-04-01, as of 2026-03-02T08:00:00Z, known at 42',
    '+ second, 2026-03-01 to 2026-04-01, as of 2026-03-02T08:00:00Z, known at 42',
    'settlements: 1 added, 1 removed, 1 changed, 0 unchanged',
    '  - 905 7 2026-03-02 130.00 TIED',
    '  + 906 7 2026-03-02 130.00 TIED',
    '  ~ 900: reportedNet 150.00 -> 130.00, difference -20.00 -> 0.00, verdict BREAK -> TIED, unexplainedAmount -20.00 -> 0.00',
    'exceptions: 1 added, 1 removed, 0 changed, 1 unchanged',
    '  - e1 AMOUNT_MISMATCH settlement 901 -20.00 OPEN',
    '  + e3 PENDING_STALE settlement 903 -20.00 OPEN',
    'journal: 2 added, 2 removed, 2 changed, 0 unchanged',
    '  - S-905 2026-03-02 1110 Cash in transit 130.00 -',
    '  - S-905 2026-03-02 1100 Cash in transit - 130.00',
    '  + S-906 2026-03-02 1110 Cash in transit 130.00 -',
    '  + S-906 2026-03-02 1100 Cash in transit - 130.00',
    '  ~ S-900 1110: debit 150.00 -> 130.00',
    '  ~ S-900 1100: credit 150.00 -> 130.00',
  ])
})

test('a pack does not differ from itself, nor from the same pack a day older', async () => {
  const pack = await publish('first')
  const older = await publish(
    'second',
    { exceptions: [exception({ ageDays: '9', lastSeen: '2026-03-11T08:00:00Z' })] },
    { asOf: '2026-03-11T08:00:00Z' },
  )
  for (const other of [pack, older]) {
    const { settlements, exceptions, journal } = await diffPacks(pack, other)
    for (const table of [settlements, exceptions, journal]) {
      expect(table).toMatchObject({ added: [], removed: [], changed: [] })
    }
    expect([settlements.unchanged, exceptions.unchanged, journal.unchanged]).toEqual([2, 1, 2])
  }
})

test('only the days in both packs are compared', async () => {
  const late = settlement({ settlementId: '910', businessDate: '2026-03-20' })
  const first = await publish('first', { settlements: [settlement(), late] })
  const window = { from: '2026-03-01', to: '2026-03-15' }
  const second = await publish('second', { settlements: [settlement()] }, { window })
  const { from, to, settlements } = await diffPacks(first, second)
  expect([from, to]).toEqual(['2026-03-01', '2026-03-15'])
  expect(settlements).toMatchObject({ added: [], removed: [], changed: [], unchanged: 1 })
})

test('packs of two accounts, or of two months, are not compared', async () => {
  const pack = await publish('first')
  const other = await publish('second', {}, { account: 'other' })
  await expect(diffPacks(pack, other)).rejects.toMatchObject({ code: 'usage' })
  const april = await publish('third', {}, { window: { from: '2026-04-01', to: '2026-05-01' } })
  await expect(diffPacks(pack, april)).rejects.toMatchObject({ code: 'usage' })
})

test('a pack with a changed file is not compared', async () => {
  const pack = await publish('first')
  const file = join(pack, 'settlements.csv')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Front desk', 'Back desk'))
  await expect(diffPacks(pack, pack)).rejects.toMatchObject({
    code: 'pack_altered',
    message: 'settlements.csv was changed after it was published',
  })
})
