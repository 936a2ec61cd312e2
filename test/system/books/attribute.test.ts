import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { explainSettlement } from '../../../queries/explain-settlement.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import type { AttributionAct } from '../../../domain/books.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { newBooksWorld } from './books-world.ts'

/** Each test makes several packs. */
vi.setConfig({ testTimeout: 400_000 })

/** 900 and 901 tie by arithmetic; transaction 4 says itself where it is, and 5 is open. */
const NIGHT = {
  settlements: `
    900 | 7 | 2026-11-03 03:00 | 100.00
    901 | 7 | 2026-11-04 03:00 |  70.00
    902 | 8 | 2026-11-04 03:00 |   5.00`,
  transactions: `
    1 | 7 | 2026-11-02 10:00 | 100.00
    2 | 7 | 2026-11-02 23:00 |  20.00
    3 | 7 | 2026-11-03 10:00 |  50.00
    4 | 8 | 2026-11-03 10:00 |   5.00 | - | 902
    5 | 8 | 2026-11-20 10:00 |   8.00 | unsettled`,
}

const rows = (pack: string, name: string, columns: readonly number[]) =>
  readFileSync(join(pack, name), 'utf8')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => columns.map((at) => line.split(',')[at]).join(' '))

const settlements = (pack: string) => rows(pack, 'settlements.csv', [1, 8, 10, 11, 12])
const attributions = (pack: string) => rows(pack, 'attributions.csv', [1, 2, 9])

async function world() {
  const books = newBooksWorld()
  await books.land(NIGHT)
  const decide = (transactionId: string, settlement?: string) =>
    createActOnBooks(
      books.settings,
      books.shared,
    )({
      kind: settlement === undefined ? 'transaction.release' : 'transaction.attribute',
      ...{ account: 'acme', actor: 'Ada', reason: 'the operator has a list', transactionId },
      ...(settlement === undefined ? {} : { settlement }),
    } satisfies AttributionAct)
  return { books, decide }
}

test('a person’s decision on a transaction goes before arithmetic and an id, shows in every later pack, and can be withdrawn', async () => {
  const { books, decide } = await world()
  const before = await books.publish('before')
  expect(settlements(before).map((row) => row.split(' ').slice(0, 3).join(' '))).toEqual([
    '900 100.00 TIED',
    '901 70.00 TIED',
    '902 5.00 TIED',
  ])
  expect(await decide('2', '900')).toMatchObject({ actor: 'Ada', wasSo: false })
  expect(await decide('2', '900')).toMatchObject({ wasSo: true })
  const moved = await books.publish('moved')
  expect(attributions(moved)).toContain('2 900 MANUAL')
  expect(settlements(moved).slice(0, 2)).toEqual([
    '900 120.00 EXPLAINED MANUAL AMBIGUOUS',
    expect.stringMatching(/^901 50\.00 BREAK /),
  ])
  const { transactions } = await explainSettlement({
    ...{ settings: books.settings, settlementId: '900', asOf: '2026-11-30T12:00:00Z' },
  })
  expect(transactions.find(({ transactionId }) => transactionId === '2')?.note).toContain(
    'placed by Ada: the operator has a list',
  )
  await decide('2')
  const after = await books.publish('after')
  for (const name of ['settlements.csv', 'attributions.csv', 'accounting/journal.csv']) {
    expect(readFileSync(join(after, name))).toEqual(readFileSync(join(before, name)))
  }
  expect((await provePack(books.settings, await verifyPack(moved))).differing).toEqual([])
})

test('a transaction assigned to no settlement is in none, and its money stays in clearing', async () => {
  const { books, decide } = await world()
  await decide('2', 'none')
  const pack = await books.publish('none')
  expect(attributions(pack).filter((row) => row.startsWith('2 '))).toEqual([])
  expect(settlements(pack)[1]).toMatch(/^901 50\.00 BREAK /)
  const closings = rows(pack, 'rollforward.csv', [1, 2, 8])
  expect(closings.find((row) => row.startsWith('7 2026-11-30'))).toBe('7 2026-11-30 20.00')
})

test('a decision against the record, or about an unknown id, is refused', async () => {
  const { decide } = await world()
  for (const [transaction, settlement, code, remedy] of [
    ['4', '901', 'attribution_refused', 'tieout explain 902, to see'],
    ['4', 'none', 'attribution_refused', 'tieout explain 902, to see'],
    ['5', '902', 'attribution_refused', 'tieout explain 902, to see'],
    ['5', 'none', 'attribution_refused', 'decide nothing'],
    ['77', '902', 'usage', 'tieout query'],
    ['2', '977', 'usage', 'tieout query'],
    ['2', undefined, 'usage', ''],
  ] as const) {
    await expect(decide(transaction, settlement)).rejects.toMatchObject({
      code,
      remedy: expect.stringContaining(remedy),
    })
  }
})
