import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { accountStatus } from '../../../queries/account-status.ts'
import { closeChecklist } from '../../../queries/close-checklist.ts'
import { listExceptions, showException } from '../../../queries/list-exceptions.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import { storedExposure } from '../../../queries/exposure.ts'
import type { ExceptionAct } from '../../../domain/books.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { preparedBooks, type BooksWorld } from './books-world.ts'

/** Each test makes several packs and makes some of them again. */
vi.setConfig({ testTimeout: 400_000 })

const NIGHT = {
  settlements: `
    900 | 7 | 2026-11-03 03:00 | 150.00
    901 | 8 | 2026-11-04 03:00 |  99.00`,
  transactions: `
    1 | 7 | 2026-11-02 10:00 | 130.00 | - | 900
    3 | 8 | 2026-11-03 10:00 |  99.00 | - | 901
    4 | 8 | 2026-11-20 10:00 |   8.00 | unsettled`,
}
/** The transaction that 900 lacked, and then a version of it that lacks it again. */
const MENDED = { transactions: '2 | 7 | 2026-11-02 11:00 | 20.00 | - | 900' }
const BROKEN = { transactions: '2 | 7 | 2026-11-02 11:00 | 20.00 | unsettled | 900' }

/** `900 AMOUNT_MISMATCH OPEN` with who and why, as exceptions.csv says it. */
const statesIn = (pack: string) =>
  readFileSync(join(pack, 'exceptions.csv'), 'utf8')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    // A comma inside quotes belongs to the cell.
    .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
    .map((row) => `${row[6]} ${row[2]} ${row.slice(13, -1).join(' ')}`.trimEnd())

const firstNight = preparedBooks(async (books) => {
  await books.land(NIGHT)
  const first = await books.publish('first')
  const [mismatch] = await listExceptions(books.settings, { codes: ['AMOUNT_MISMATCH'] })
  return { first, id: mismatch?.exceptionId ?? '' }
})

async function world() {
  const { books, first, id } = await firstNight()
  const decide = (kind: ExceptionAct['kind'], more: Partial<ExceptionAct> = {}) =>
    createActOnBooks(
      books.settings,
      books.shared,
    )({
      ...{ kind, account: 'acme', actor: 'Ada', reason: 'asked the operator' },
      exceptionId: id,
      ...more,
    })
  return { books, first, decide, id }
}

const proved = async ({ settings }: BooksWorld, packs: readonly string[]) =>
  Promise.all(
    packs.map(async (pack) => (await provePack(settings, await verifyPack(pack))).differing),
  )

test('an exception is assigned, waived, resolved and reopened; every pack shows its state at that time, and is proved after all of it', async () => {
  const { books, first, decide } = await world()
  const shown: (string | undefined)[] = [statesIn(first)[0]]
  await expect(
    decide('exception.resolve', { exceptionId: '0123456789abcdef' }),
  ).rejects.toMatchObject({ code: 'usage' })
  await expect(decide('exception.reopen')).rejects.toMatchObject({ code: 'usage' })
  let newest = first
  for (const [kind, more] of [
    ['exception.assign', { to: 'Cid' }],
    ['exception.waive', { until: '2026-12-31' }],
    ['exception.resolve', {}],
    ['exception.reopen', { reason: 'not settled after all' }],
  ] as const) {
    expect(await decide(kind, more)).toMatchObject({ actor: 'Ada', wasSo: false })
    expect(await decide(kind, more)).toMatchObject({ wasSo: true })
    newest = await books.publish(kind)
    shown.push(statesIn(newest)[0])
  }
  expect(shown).toEqual([
    '900 AMOUNT_MISMATCH OPEN',
    '900 AMOUNT_MISMATCH ASSIGNED Ada to Cid: asked the operator',
    '900 AMOUNT_MISMATCH WAIVED Ada until 2026-12-31: asked the operator',
    '900 AMOUNT_MISMATCH RESOLVED Ada asked the operator',
    '900 AMOUNT_MISMATCH OPEN Ada not settled after all',
  ])
  expect((await proved(books, [first, newest])).flat()).toEqual([])
})

test('an exception closes by itself when its cause is gone, and opens again with its history if the cause returns', async () => {
  const { books, decide, id } = await world()
  await decide('exception.waive', { until: '2026-12-31' })
  await books.land(MENDED)
  const mended = await books.publish('mended')
  expect(statesIn(mended)).toContain('900 AMOUNT_MISMATCH RESOLVED system no longer found')
  await expect(decide('exception.resolve')).rejects.toMatchObject({ code: 'usage' })
  await books.land(BROKEN)
  const back = await books.publish('back')
  const again = '900 AMOUNT_MISMATCH OPEN system found again after it was gone'
  expect(statesIn(back)).toContain(again)
  // A second run on the same knowledge says the same.
  const same = await books.publish('same')
  expect(statesIn(same)).toEqual(statesIn(back))
  await decide('exception.resolve')
  expect(
    (await books.shared.connected(async () => showException(books.settings, id))).history,
  ).toMatchObject([
    { what: 'found', amount: '-20.00' },
    { what: 'waive', by: 'Ada' },
    { what: 'gone' },
    { what: 'found again' },
    { what: 'resolve', by: 'Ada' },
  ])
  expect(statesIn(await books.publish('done'))).toContain(
    '900 AMOUNT_MISMATCH RESOLVED Ada asked the operator',
  )
  expect((await proved(books, [mended, same])).flat()).toEqual([])
})

/** Seven events. Then all is as before, and each event happens again with the same amount. */
const STEADY = {
  settlements: `
    910 | 7 | 2026-11-05 03:00 | 80.00
    911 | 7 | 2026-11-06 03:00 | 50.00
    912 | 7 | 2026-11-07 03:00 | 40.00 | PENDING`,
  transactions: `
    10 | 7 | 2026-11-05 10:00 | 10.00
    11 | 7 | 2026-11-05 11:00 | 10.00
    12 | 7 | 2026-11-05 12:00 | 10.00`,
}
const HAPPENED = {
  settlements: `
    910 | 7 | 2026-11-05 03:00 | 82.00
    911 | 7 | 2026-11-06 03:00 | 50.00 | PENDING
    912 | 7 | 2026-11-07 03:00 | 42.00 | PENDING`,
  transactions: `
    10 | 7 | 2026-11-05 10:00 | 10.00 | unsettled
    11 | 7 | 2026-11-05 11:00 | 12.00`,
  presence: `
    transactions | 12  | gone
    settlements  | 901 | gone`,
}
const BACK = {
  ...STEADY,
  presence: `
    transactions | 12  | back
    settlements  | 901 | back`,
}
const EVENTS = [
  ...['10 SETTLEMENT_REVERSED', '11 CHANGED_AFTER_SETTLEMENT', '12 TRANSACTION_DISAPPEARED'],
  ...['901 SETTLEMENT_DISAPPEARED', '910 COMPLETE_CHANGED', '911 STATUS_REGRESSION'],
  '912 PENDING_DRIFT',
]
/** The lines of these exceptions, such as `910 COMPLETE_CHANGED OPEN`, in the order of EVENTS. */
const eventsIn = (pack: string) =>
  statesIn(pack)
    .filter((line) => EVENTS.some((event) => line.startsWith(`${event} `)))
    .sort()
const eventsWith = (state: string) => EVENTS.map((event) => `${event} ${state}`)

test('a decision about an event holds until the event happens again, whatever the amount; every pack is proved after all of it', async () => {
  const { books, decide } = await world()
  await books.land(STEADY)
  await books.land(HAPPENED)
  expect(eventsIn(await books.publish('happened'))).toEqual(eventsWith('OPEN'))
  const listed = await listExceptions(books.settings, {})
  const idOf = (event: string) =>
    listed.find(({ subjectId, code }) => `${subjectId} ${code}` === event)?.exceptionId ?? ''
  const resolve = async () => {
    for (const event of EVENTS) await decide('exception.resolve', { exceptionId: idOf(event) })
  }
  await resolve()
  const resolved = eventsWith('RESOLVED Ada asked the operator')
  expect(eventsIn(await books.publish('resolved'))).toEqual(resolved)
  await books.land(BACK)
  await books.land(HAPPENED)
  const again = await books.publish('again')
  expect(eventsIn(again)).toEqual(
    eventsWith('OPEN system happened again after Ada decided: asked the operator'),
  )
  const known = await books.publish('known', { knownAt: '3' })
  expect(eventsIn(known)).toEqual(resolved)
  await resolve()
  const shown = await books.shared.connected(async () =>
    showException(books.settings, idOf('901 SETTLEMENT_DISAPPEARED')),
  )
  expect(shown.history.map(({ what }) => what)).toEqual([
    ...['found', 'resolve', 'happened again', 'resolve'],
  ])
  expect(eventsIn(await books.publish('older', { asOf: '2026-11-29T12:00:00Z' }))).toEqual(resolved)
  const last = await books.publish('last')
  expect(eventsIn(last)).toEqual(resolved)
  expect((await proved(books, [again, known, last])).flat()).toEqual([])
})

test('a waiver of an event ends with a second event, and an amount that returns to the decided one does not bring the decision back', async () => {
  const { books, decide } = await world()
  const net = (cents: string) =>
    books.land({ settlements: `910 | 7 | 2026-11-05 03:00 | ${cents}` })
  await net('80.00')
  await net('82.00')
  await books.publish('happened')
  const [changed] = await listExceptions(books.settings, { codes: ['COMPLETE_CHANGED'] })
  await decide('exception.waive', {
    exceptionId: changed?.exceptionId ?? '',
    until: '2026-12-31',
  })
  await net('80.00')
  expect(eventsIn(await books.publish('taken-back'))).toEqual([
    '910 COMPLETE_CHANGED OPEN system the amount changed after Ada decided: until 2026-12-31: asked the operator',
  ])
  await net('82.00')
  expect(eventsIn(await books.publish('again'))).toEqual([
    '910 COMPLETE_CHANGED OPEN system happened again after Ada decided: until 2026-12-31: asked the operator',
  ])
})

test('a resolution that cleared a difference is no longer shown when the difference is gone', async () => {
  const { books, decide, id } = await world()
  await decide('exception.resolve', { clear: { to: 'refunds', date: '2026-11-30' } })
  await books.land(MENDED)
  const mended = await books.publish('mended')
  expect(statesIn(mended)).toContain('900 AMOUNT_MISMATCH RESOLVED system no longer found')
  const listed = await listExceptions(books.settings, { codes: ['AMOUNT_MISMATCH'] })
  expect(listed).toMatchObject([{ exceptionId: id, state: 'RESOLVED', stateBy: 'system' }])
})

test('each exception of a settlement has its own cause, also after a person reopened it', async () => {
  const { books, decide } = await world()
  await books.land({ settlements: '900 | 7 | 2026-11-03 03:00 | 155.00' })
  await books.publish('changed')
  const causes = async () =>
    (await listExceptions(books.settings, { settlement: '900' })).map(
      ({ code, state, cause }) => `${code} ${state}: ${cause}`,
    )
  const drifted =
    'COMPLETE_CHANGED OPEN: The reported net changed after the settlement was COMPLETE'
  const [mismatch = '', changed] = await causes()
  expect(mismatch).toMatch(/^AMOUNT_MISMATCH OPEN: \w/)
  expect(mismatch).not.toContain('changed after')
  expect(changed).toBe(drifted)
  await decide('exception.waive', { until: '2026-12-31' })
  await books.publish('waived')
  await decide('exception.reopen')
  expect(await causes()).toEqual([mismatch, drifted])
})

test('the list has every filter, shows a decision at once, and marks exceptions new since the day before', async () => {
  const { books, decide } = await world()
  const ids = async (filter: Parameters<typeof listExceptions>[1]) =>
    (await listExceptions(books.settings, filter)).map(({ subjectId }) => subjectId)
  expect(await ids({ isNew: true })).toEqual(['900', '4'])
  expect(await ids({ codes: ['UNSETTLED_AGED'], terminal: '8' })).toEqual(['4'])
  expect(await ids({ severity: 'error', settlement: '900' })).toEqual(['900'])
  expect(await ids({ settlement: '901' })).toEqual([])
  expect(await ids({ leastAmountCents: 2000n, leastAgeDays: 11 })).toEqual(['900'])
  expect(await ids({ leastAmountCents: 2001n })).toEqual([])
  expect(await ids({ leastAgeDays: 28 })).toEqual([])
  await decide('exception.assign', { to: 'Cid' })
  expect(await ids({ assignee: 'cid' })).toEqual(['900'])
  expect(await ids({ states: ['OPEN'] })).toEqual(['4'])
  await books.land({ settlements: '902 | 7 | 2026-11-30 03:00 | 5.00' })
  await books.publish('next', { asOf: '2026-12-01T12:00:00Z' })
  expect(await ids({ isNew: true })).toEqual(['902'])
  expect(await ids({ states: ['ASSIGNED'] })).toEqual(['900'])
})

test('an exception has the newest name of its terminal', async () => {
  const { books } = await world()
  await books.shared.connected((_lake, connection) =>
    connection.run(
      `insert into lake.seen.terminal_version by name
       select 'acme' as account, 7 as terminal_id, unnest(['Old bar', 'Bar', 'Bar by the sea']) as nick_name,
         unnest([1, 3, 3]) as landing_seq, unnest([9, 1, 2]) as ordinal`,
    ),
  )
  const [first] = await listExceptions(books.settings, { terminal: '7' })
  expect(first?.terminalName).toBe('Bar by the sea')
})

test('an exception that a person reopens is in the list and the checklist at once, also if the newest run left it out', async () => {
  const { books, decide } = await world()
  await decide('exception.resolve')
  const window = { from: '2026-12-01', to: '2027-01-01' }
  const later = await books.publish('later', { window, asOf: '2026-12-03T12:00:00Z' })
  expect(statesIn(later).filter((state) => state.includes('AMOUNT_MISMATCH'))).toEqual([])
  const listed = (code = 'AMOUNT_MISMATCH') => listExceptions(books.settings, { codes: [code] })
  expect(await listed()).toEqual([])
  await decide('exception.reopen')
  const [unsettled] = await listed('UNSETTLED_AGED')
  const reopened = { state: 'OPEN', stateBy: 'Ada', ageDays: 30, lastSeen: unsettled?.lastSeen }
  expect(await listed()).toMatchObject([reopened])
  expect(await closeChecklist(books.settings, '2026-11')).toContainEqual({
    ...{ name: 'unexplained difference', isBlocker: true, number: 1, amount: '20.00' },
  })
  await decide('exception.resolve')
  expect(await listed()).toEqual([])
})

test('unexplained differences are summed as short and over, and waived ones are left out', async () => {
  const { books, decide } = await world()
  const unexplained = (runId: string) => storedExposure(books.settings, runId)
  expect(await unexplained('first')).toMatchObject({ gross_cents: 2000n })
  await decide('exception.waive', { until: '2026-12-31' })
  await books.publish('waived')
  expect(await unexplained('waived')).toMatchObject({ settlements: 0, gross_cents: 0n })
})

test('after a backfill of earlier days the status still counts the range of the pack that latest names', async () => {
  const { books } = await world()
  const window = { from: '2026-09-01', to: '2026-10-01' }
  await books.publish('filled', { window, isBackfill: true })
  const { pack, exposure } = await books.shared.connected((_lake, connection) =>
    accountStatus(connection, books.settings, Date.now()),
  )
  expect(pack?.runId).toBe('first')
  expect(exposure).toMatchObject({ settlements: 1, gross_cents: 2000n })
})
