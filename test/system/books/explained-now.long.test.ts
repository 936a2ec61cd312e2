/**
 * Goal: an explanation from a stored run equals a computation of all models. Method: small lakes, explained both
 * ways.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test, vi } from 'vitest'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { explainSettlement, judgeAnew, judgeAsStored } from '../../../queries/explain-settlement.ts'
import { type Explanation, explanationOf } from '../../../queries/explanation.ts'
import { listExceptions } from '../../../queries/list-exceptions.ts'
import { newBooksWorld, type BooksWorld } from './books-world.ts'

/** Each test makes several packs. */
vi.setConfig({ testTimeout: 400_000 })

/** A transaction of terminal 10 names a settlement of terminal 9; transaction 8 was seen on terminals 11 and 12. */
const NIGHT = {
  settlements: `
    900 | 7 | 2026-11-03 03:00 | 100.00
    901 | 7 | 2026-11-04 03:00 |  70.00
    902 | 8 | 2026-11-04 03:00 |   5.00
    903 | 9 | 2026-11-04 03:00 |  30.00
    904 | 11 | 2026-11-04 03:00 |  8.00
    905 | 13 | 2026-11-04 03:00 |  7.00`,
  transactions: `
    1 | 7 | 2026-11-02 10:00 | 100.00
    2 | 7 | 2026-11-02 23:00 |  20.00
    3 | 7 | 2026-11-03 10:00 |  50.00
    4 | 8 | 2026-11-03 10:00 |   5.00 | - | 902
    5 | 9 | 2026-11-03 10:00 |  10.00
    6 | 10 | 2026-11-03 11:00 |  20.00 | - | 903
    8 | 12 | 2026-11-03 11:00 |   8.00 | unsettled
    9 | 13 | 2026-11-03 11:00 |   3.00`,
}

async function world() {
  const books = newBooksWorld()
  await books.land(NIGHT)
  await books.land({ transactions: '8 | 11 | 2026-11-03 11:00 | 8.00' })
  await books.publish('first')
  return books
}

async function told({ settings }: BooksWorld, settlementId: string, asOf?: string) {
  const said: string[] = []
  const asking = { settings, settlementId, ...(asOf === undefined ? {} : { asOf }) }
  const { runId, verdict, computedNet } = await explainSettlement(asking, (line) => said.push(line))
  return { runId, verdict, computedNet, said: said.join('\n') }
}

test('a settlement is explained from the stored run, and computed anew after a decision, a landing, or as of another time', async () => {
  const books = await world()
  const stored = { runId: 'first', verdict: 'TIED', computedNet: '100.00', said: '' }
  expect(await told(books, '900')).toEqual(stored)
  expect(await told(books, '900', '2026-11-30T12:00:00Z')).toEqual(stored)
  expect(await told(books, '900', '2026-12-01T12:00:00Z')).toMatchObject({
    ...{ runId: '', verdict: 'TIED', computedNet: '100.00' },
    said: expect.stringContaining('run first is as of 2026-11-30T12:00:00'),
  })
  const act = { account: 'acme', actor: 'Ada', reason: 'the operator has a list' } as const
  const decision = { kind: 'transaction.attribute', transactionId: '2', settlement: '900' } as const
  await createActOnBooks(books.settings, books.shared)({ ...act, ...decision })
  expect(await told(books, '900')).toMatchObject({
    ...{ runId: '', verdict: 'EXPLAINED', computedNet: '120.00' },
    said: expect.stringContaining('something was decided since run first'),
  })
  await books.publish('second')
  expect(await told(books, '900')).toMatchObject({
    runId: 'second',
    computedNet: '120.00',
    said: '',
  })
  await books.land({ transactions: '7 | 8 | 2026-11-03 11:00 | 1.00' })
  expect(await told(books, '902')).toMatchObject({
    ...{ runId: '', verdict: 'EXPLAINED', computedNet: '6.00' },
    said: expect.stringContaining('something has landed since run second'),
  })
})

test('a decision on the exception of a member is shown, whatever its terminal is', async () => {
  const books = newBooksWorld()
  await books.land({
    settlements: '904 | 9 | 2026-11-04 03:00 | 1000001.00',
    transactions: '6 | 10 | 2026-11-03 11:00 | 1000001.00 | - | 904',
  })
  await books.publish('first')
  const { settings, shared } = books
  const [over] = await listExceptions(settings, { codes: ['AMOUNT_OVER_LIMIT'] })
  await createActOnBooks(
    settings,
    shared,
  )({
    ...{ account: 'acme', actor: 'Ada', reason: 'checked' },
    ...{ kind: 'exception.waive', exceptionId: String(over?.exceptionId), until: '2026-12-31' },
  })
  const { exceptions } = await explainSettlement({ settings, settlementId: '904' })
  expect(exceptions.find(({ code }) => code === 'AMOUNT_OVER_LIMIT')).toMatchObject({
    state: 'WAIVED',
  })
})

test('the reasons why a certificate is AMBIGUOUS are the same from the stored run and computed now', async () => {
  const books = newBooksWorld()
  await books.land({
    // 902 is 13.37 too high, beside a BREAK. A charge of 17.77 explains 903 and 904 of two terminals, and 903 has a BREAK
    // beside it. Between 907 and 908 a charge of 9.99 moves, and 909 is a BREAK.
    settlements: `
      900 | 7 | 2026-11-03 03:00 | 100.00
      901 | 7 | 2026-11-04 03:00 |  71.23
      902 | 7 | 2026-11-05 03:00 |  60.00
      903 | 8 | 2026-11-04 03:00 |  30.00
      906 | 8 | 2026-11-05 03:00 |  91.11
      904 | 9 | 2026-11-04 03:00 |  57.77
      905 | 10 | 2026-11-04 03:00 | 40.00
      907 | 11 | 2026-11-03 03:00 | 150.00
      908 | 11 | 2026-11-04 03:00 |  69.99
      909 | 11 | 2026-11-05 03:00 |  33.33`,
    transactions: `
      1 | 7 | 2026-11-02 10:00 | 100.00
      2 | 7 | 2026-11-03 10:00 | 50.00
      4 | 7 | 2026-11-04 10:00 | 60.00
      5 | 7 | 2026-11-04 11:00 | 13.37
      10 | 8 | 2026-11-03 10:00 | 30.00
      11 | 8 | 2026-11-03 12:00 | 17.77
      13 | 8 | 2026-11-04 10:00 | 55.00
      12 | 9 | 2026-11-03 10:00 | 40.00
      15 | 10 | 2026-11-03 10:00 | 40.00
      16 | 10 | 2026-11-03 12:00 | 12.34
      30 | 11 | 2026-11-02 10:00 | 100.00
      31 | 11 | 2026-11-02 11:00 | 9.99
      32 | 11 | 2026-11-02 21:00 | 50.00
      33 | 11 | 2026-11-03 21:00 | 60.00
      34 | 11 | 2026-11-04 21:00 | 77.00`,
  })
  const { settings, shared } = books
  const act = { account: 'acme', actor: 'Ada', reason: 'on the list' } as const
  const decision = {
    kind: 'transaction.attribute',
    transactionId: '16',
    settlement: '905',
  } as const
  await createActOnBooks(settings, shared)({ ...act, ...decision })
  await books.publish('first')
  const of = (settlementId: string) => ({ settings, settlementId, asOf: '2026-11-30T12:00:00Z' })
  const ids = ['902', '903', '904', '905', '907', '908']
  const stored: Explanation[] = []
  for (const id of ids) {
    const explained = await shared.connected(async (_lake, connection) => {
      expect(await judgeAsStored(connection, of(id))).toBeUndefined()
      return explanationOf(connection, id)
    })
    stored.push(explained)
  }
  const anew = await shared.connected(async (_lake, connection) => {
    await judgeAnew(connection, of('902'))
    const explained: Explanation[] = []
    for (const id of ids) explained.push(await explanationOf(connection, id))
    return explained
  })
  expect(stored).toEqual(anew.map((one) => ({ ...one, runId: 'first' })))
  const reasons = stored.flatMap(({ settlementId, certificateReasons }) =>
    certificateReasons.map(({ reason, otherSettlement, transactions }) =>
      [settlementId, reason, otherSettlement, transactions].filter(Boolean).join(' '),
    ),
  )
  expect(reasons).toEqual([
    '902 BESIDE_BREAK 901',
    '903 BESIDE_BREAK 906',
    '904 OTHER_TERMINAL 903 11',
    '905 MANUAL_DECISION 16',
    '907 SHIFT_BESIDE_BREAK 909 31',
    '908 SHIFT_BESIDE_BREAK 909 31',
  ])
})

test('a record that names a settlement of another terminal is shown with it, and one seen on two is computed anew', async () => {
  const books = await world()
  const { settings, shared } = books
  const explained = (work: (connection: DuckDBConnection) => Promise<unknown>) =>
    shared.connected(async (_lake, connection) => {
      const why = await work(connection)
      return why === undefined ? explanationOf(connection, '903') : why
    })
  const asking = { settings, settlementId: '903', asOf: '2026-11-30T12:00:00Z' }
  const anew = await explained((connection) => judgeAnew(connection, asking))
  expect(anew).toMatchObject({ runId: '', verdict: 'TIED', computedNet: '30.00' })
  expect((anew as Explanation).transactions).toMatchObject([
    { transactionId: '5', inside: true, note: '' },
    { transactionId: '6', inside: true, note: 'of terminal 10' },
  ])
  expect(await explained((connection) => judgeAsStored(connection, asking))).toEqual({
    ...(anew as Explanation),
    runId: 'first',
  })
  expect(await whyNot(books, '904')).toBe('a transaction was seen on two terminals')
})

test('a person’s assignment from elsewhere moves no cut-off and brings no neighbours, and settlements.csv counts it', async () => {
  const books = newBooksWorld()
  await books.land({
    settlements: `
      900 | 7 | 2026-11-03 03:00 | 100.00
      901 | 7 | 2026-11-04 03:00 |  50.00`,
    transactions: `
      1 | 7 | 2026-11-02 10:00 | 100.00
      2 | 7 | 2026-11-02 23:00 |  20.00
      3 | 7 | 2026-11-03 10:00 |  50.00
      4 | 8 | 2026-10-30 10:00 |   5.00
      5 | 7 | 2026-10-31 10:00 |   9.00 | unsettled`,
  })
  const act = { account: 'acme', actor: 'Ada', reason: 'on the list' } as const
  for (const [transactionId, settlement] of Object.entries({ 2: '900', 4: '901' })) {
    const decision = { kind: 'transaction.attribute', transactionId, settlement } as const
    await createActOnBooks(books.settings, books.shared)({ ...act, ...decision })
  }
  await books.publish('first')
  const explained = (settlementId: string) =>
    explainSettlement({ settings: books.settings, settlementId })
  const here = await explained('900')
  expect(here).toMatchObject({
    ...{ runId: 'first', cutoff: '2026-11-02T23:00:00Z', endsAt: '2026-11-02T10:00:00Z' },
    transactions: [
      { transactionId: '1', inside: true, lies: 'within' },
      {
        transactionId: '2',
        inside: true,
        lies: 'after',
        note: 'EXTRA_TRANSACTION, placed by Ada: on the list',
      },
    ],
  })
  expect((await explained('901')).transactions).toMatchObject([
    { transactionId: '4', inside: true, lies: 'before' },
    { transactionId: '3', inside: true, lies: 'within' },
  ])
})

test('a settlement whose only transaction was assigned to none still shows it, with the person and the reason', async () => {
  const books = await world()
  await createActOnBooks(
    books.settings,
    books.shared,
  )({
    account: 'acme',
    actor: 'Ada',
    reason: 'paid by hand',
    kind: 'transaction.attribute',
    transactionId: '9',
    settlement: 'none',
  })
  const { transactions } = await explainSettlement(
    { settings: books.settings, settlementId: '905' },
    () => {},
  )
  expect(transactions).toMatchObject([
    { transactionId: '9', inside: false, note: 'put into no settlement by Ada: paid by hand' },
  ])
  await books.publish('second')
  const asking = { settings: books.settings, settlementId: '905', asOf: '2026-11-30T12:00:00Z' }
  const stored = await books.shared.connected(async (_lake, connection) => {
    const why = await judgeAsStored(connection, asking)
    return why ?? (await explanationOf(connection, '905')).transactions
  })
  expect(stored).toEqual(transactions)
})

test('a transaction of the wrong terminal is shown with the settlement that counts it', async () => {
  const books = newBooksWorld()
  await books.land({
    settlements: `
      900 | 7 | 2026-11-03 03:00 | 100.00
      910 | 8 | 2026-11-03 03:00 |  70.00`,
    transactions: `
      1 | 7 | 2026-11-02 10:00 | 100.00
      2 | 7 | 2026-11-02 12:00 |  20.37
      3 | 8 | 2026-11-02 10:00 |  49.63`,
  })
  await books.publish('first')
  expect(await explainSettlement({ settings: books.settings, settlementId: '910' })).toMatchObject({
    ...{ runId: 'first', explanation: 'WRONG_TERMINAL' },
    transactions: [
      { transactionId: '3', inside: true },
      {
        ...{ transactionId: '2', inside: false },
        note: 'WRONG_TERMINAL, in settlement 900, of terminal 7',
      },
    ],
  })
})

test('a stored run whose parts contradict each other is not used, and the reason is named', async () => {
  const books = await world()
  for (const id of ['900', '901', '902', '905']) expect(await whyNot(books, id)).toBeUndefined()
  await books.shared.connected(async (_lake, connection) => {
    for (const change of [
      `delete from lake.result.attributions where "settlementId" = 900`,
      `update lake.result.evidence set "cutId" = '77' where "settlementId" = '901'`,
      `delete from lake.result.evidence where "settlementId" = '905'`,
    ]) {
      await connection.run(change)
    }
  })
  // A settlement without members has more of its surroundings checked.
  expect(await whyNot(books, '900')).toBe(
    'a transaction beside it may be in a settlement that is not in run first',
  )
  expect(await whyNot(books, '901')).toBe('its transactions tell otherwise')
  expect(await whyNot(books, '905')).toBe('run first has no evidence of it')
  expect(await whyNot(books, '902')).toBeUndefined()
})

const whyNot = ({ settings, shared }: BooksWorld, settlementId: string) =>
  shared.connected((_lake, connection) => judgeAsStored(connection, { settings, settlementId }))

test('an unknown id is refused, and that of another account is refused with the command for it', async () => {
  const books = newBooksWorld()
  await books.land(NIGHT)
  const refusal = (settlementId: string, account = 'acme') =>
    explainSettlement({ settings: { ...books.settings, account }, settlementId }).catch(
      (error: unknown) => error,
    )
  // 9 is the id of a transaction, about which the refusal says more.
  expect(await refusal('99')).toMatchObject({
    ...{ code: 'usage', message: 'no settlement 99 is known in account acme' },
    remedy: 'take an id from settlements.csv of the latest pack',
  })
  expect(await refusal('900', 'other')).toMatchObject({
    ...{ code: 'usage', message: 'no settlement 900 is known in account other' },
    remedy: 'tieout --account acme explain 900',
  })
})

test('an id with leading zeros is the same id, and one with an unreadable record says so', async () => {
  const books = await world()
  expect(await told(books, '00900')).toMatchObject({ runId: 'first', verdict: 'TIED', said: '' })
  await books.shared.connected((_lake, connection) =>
    connection.run(
      `insert into lake.seen.quarantine by name
       select 'acme' as account, 'settlements' as list, 'settlement' as subject_type, '990' as subject_id, 'net' as field, 'is no amount' as reason`,
    ),
  )
  await expect(told(books, '0990')).rejects.toMatchObject({
    ...{ code: 'usage', message: 'settlement 990 was never read well: net is no amount' },
    remedy: 'tieout exceptions list --code QUARANTINED',
  })
})
