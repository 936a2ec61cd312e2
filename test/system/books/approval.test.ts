import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { closeChecklist, closeItemWords } from '../../../queries/close-checklist.ts'
import { listExceptions } from '../../../queries/list-exceptions.ts'
import type { AccountingSettings } from '../../../domain/accounting.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import type { BooksActed } from '../../../domain/books.ts'
import { manifestText } from '../../../reports/pack/manifest.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { rowsOf } from '../../support/temp-lake.ts'
import { BY_DAY, newBooksWorld, preparedBooks, type BooksWorld } from './books-world.ts'

/** The three settlements of the worked example, of which the last is off by 10.00. */
const NIGHT = {
  settlements: `
    900 | 1001 | 2026-11-19 03:00 | 144.44
    901 | 1002 | 2026-11-20 03:00 | -50.00
    902 | 1001 | 2026-11-21 03:00 | 200.00`,
  transactions: `
    1 | 1001 | 2026-11-18 10:00 | 166.09 | - | 900
    3 | 1001 | 2026-11-18 12:00 | -21.65 | - | 900
    4 | 1002 | 2026-11-19 10:00 |  25.00 | - | 901
    5 | 1002 | 2026-11-19 11:00 | -75.00 | - | 901
    6 | 1001 | 2026-11-20 10:00 | 210.00 | - | 902`,
}
/** The refund that the last settlement counted, and that was seen later. */
const MISSED = { transactions: '7 | 1001 | 2026-11-20 11:00 | -10.00 | - | 902' }
const DECEMBER = {
  window: { from: '2026-12-01', to: '2027-01-01' },
  asOf: '2026-12-02T12:00:00Z',
}

const act = ({ settings, shared }: BooksWorld) => createActOnBooks(settings, shared)

const turn = (books: BooksWorld, kind: 'close' | 'reopen', period = '2026-11') =>
  act(books)({
    account: 'acme',
    actor: 'Ada',
    reason: 'month end',
    kind,
    period,
    acceptOpen: 'a test',
  })

/** The pack that an act is about, with the hash that identifies it. */
async function identified(pack: string) {
  const { manifest, sha256 } = await verifyPack(pack)
  return { runId: manifest.runId, manifestSha256: sha256 }
}

async function approve(
  books: BooksWorld,
  pack: string,
  more: { actor?: string; preparedBy?: string; acceptsLater?: boolean } = {},
): Promise<BooksActed> {
  return act(books)({
    ...{ kind: 'approve', account: 'acme', actor: 'Ada', preparedBy: 'Ben', reason: 'reviewed' },
    ...(await identified(pack)),
    ...more,
  })
}

const cells = (pack: string, name: string) =>
  readFileSync(join(pack, name), 'utf8')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))

/** `S-900 2026-11-19: 1110 144.44, 1100 -144.44`, in the order of the journal. */
function journal(pack: string): string[] {
  const entries = new Map<string, string[]>()
  for (const [id, date, , account, , debit, credit] of cells(pack, 'accounting/journal.csv')) {
    const head = `${id} ${date}`
    entries.set(head, [...(entries.get(head) ?? []), `${account} ${debit || `-${credit}`}`])
  }
  return [...entries].map(([head, lines]) => `${head}: ${lines.join(', ')}`)
}

/** Ids of the entries that a program is given. */
const exported = (pack: string) => [
  ...new Set(cells(pack, 'accounting/netsuite.csv').map(([id]) => id)),
]

async function firstNight(books: BooksWorld): Promise<{ first: string }> {
  await books.land(NIGHT)
  return { first: await books.publish('first') }
}

const BY_ENTRY: AccountingSettings = { group: 'entry', programs: ['netsuite'] }
const world = preparedBooks(firstNight, { accounting: BY_ENTRY })

test('an approved pack is exported once, and later corrections post beside it, in the period while it is open', async () => {
  const { books, first } = await world()
  const all = journal(first).map((entry) => entry.split(' ')[0])
  expect(exported(first).sort()).toEqual(all.toSorted())
  const approved = await approve(books, first)
  expect(approved).toMatchObject({ seq: '1', actor: 'Ada', wasSo: false, entries: all.length })
  // A second approval by any person books nothing twice.
  expect(await approve(books, first, { actor: 'Cid' })).toMatchObject({ seq: '1', wasSo: true })

  const again = await books.publish('again')
  expect(journal(again)).toEqual(journal(first))
  expect(exported(again)).toEqual([])

  await books.land(MISSED)
  const later = await books.publish('later')
  expect(journal(later).sort()).toEqual(
    [
      ...journal(first),
      'ADJ-S-902-1 2026-11-21: 1100 10.00, 1190 -10.00',
      'R-1001-20261120 2026-11-20: 1100 -10.00, 4090 10.00',
    ].sort(),
  )
  expect(exported(later).sort()).toEqual(['ADJ-S-902-1', 'R-1001-20261120'])
  for (const pack of [first, again, later]) {
    expect((await provePack(books.settings, await verifyPack(pack))).differing).toEqual([])
  }
})

test('the worked example: November is closed, the missed refund posts on December 1st and clears the suspense', async () => {
  const { books, first } = await world()
  await approve(books, first)
  await turn(books, 'close')
  await books.land(MISSED)
  const november = await books.publish('november')
  expect(journal(november)).toEqual(journal(first))
  expect(exported(november)).toEqual([])
  const december = await books.publish('december', DECEMBER)
  expect(journal(december)).toEqual([
    'ADJ-S-902-1 2026-12-01: 1100 10.00, 1190 -10.00',
    'ADJ-R-1001-20261120-1 2026-12-01: 1100 -10.00, 4090 10.00',
  ])
  expect(readFileSync(join(december, 'accounting', 'journal.csv'), 'utf8')).toContain(
    ',Adjusts S-902 of 2026-11-21,902,1001,adjustment',
  )
  const clearing = cells(december, 'rollforward.csv')
  expect(clearing.find((row) => row[1] === '1001' && row[2] === '2026-12-01')?.slice(3)).toEqual([
    ...['0.00', '0.00', '10.00', '0.00', '-10.00', '0.00'],
  ])
  // Approved in its turn, it is not posted again, and a change of it is a second adjustment.
  await approve(books, december)
  expect(exported(await books.publish('done', DECEMBER))).toEqual([])
  await books.land({ transactions: '7 | 1001 | 2026-11-20 11:00 | -12.00 | - | 902' })
  expect(exported(await books.publish('more', DECEMBER)).sort()).toEqual([
    'ADJ-R-1001-20261120-2',
    'ADJ-S-902-2',
  ])
  expect((await provePack(books.settings, await verifyPack(december))).differing).toEqual([])
})

test('a gathered day that gets more after its approval has a second entry, and a third after the next', async () => {
  const books = newBooksWorld({ accounting: { programs: ['netsuite'] } })
  const { first } = await firstNight(books)
  const days = ['18', '19', '20', '21'].map((day) => `D-202611${day}`)
  expect(exported(first)).toEqual(days)
  expect(
    cells(first, 'accounting/netsuite.csv').map((row) => `${row[5]} ${row[6]}|${row[7]}`),
  ).toEqual([
    ...['1100 144.44|', '4000 |166.09', '4090 21.65|'],
    ...['1110 144.44|', '1100 |194.44', '4000 |25.00', '4090 75.00|'],
    ...['1110 |50.00', '1100 260.00|', '4000 |210.00'],
    ...['1110 200.00|', '1100 |210.00', '1190 10.00|'],
  ])
  await approve(books, first)
  expect(exported(await books.publish('again'))).toEqual([])
  await books.land(MISSED)
  const later = await books.publish('later')
  expect(exported(later)).toEqual(['D-20261120-2', 'D-20261121-2'])
  // The same knowledge gives the same numbers, whatever the run.
  expect(exported(await books.publish('once-more'))).toEqual(['D-20261120-2', 'D-20261121-2'])
  await approve(books, later)
  await books.land({ transactions: '7 | 1001 | 2026-11-20 11:00 | -12.00 | - | 902' })
  const last = await books.publish('last')
  expect(exported(last)).toEqual(['D-20261120-3', 'D-20261121-3'])
  for (const pack of [first, later, last]) {
    expect((await provePack(books.settings, await verifyPack(pack))).differing).toEqual([])
  }
})

test('a pack that posts into a period closed meanwhile, or repeats entries of another exported pack, is refused', async () => {
  const { books, first } = await world()
  const second = await books.publish('second')
  await turn(books, 'close')
  await expect(approve(books, first)).rejects.toMatchObject({ code: 'period_closed' })
  await turn(books, 'reopen')
  await approve(books, first)
  await expect(approve(books, second)).rejects.toMatchObject({ code: 'approval_refused' })
  expect(await turn(books, 'close')).toMatchObject({ seq: '4', wasSo: false })
  expect(await turn(books, 'close')).toMatchObject({ seq: '4', wasSo: true })
})

test('a person who prepared a pack can’t approve it, and a pack of another lake is not approved', async () => {
  const { books, first } = await world()
  // Blanks, letter case, wide letters and invisible characters make no other person.
  for (const actor of [' ADA', 'ＡＤＡ', 'a\u200bda']) {
    await expect(approve(books, first, { actor, preparedBy: 'ada' })).rejects.toMatchObject({
      code: 'approval_refused',
    })
  }
  const other = newBooksWorld()
  await expect(approve(other, first)).rejects.toMatchObject({ code: 'usage' })
  await other.land({ ...NIGHT, transactions: NIGHT.transactions.replace('166.09', '166.08') })
  await other.publish('first')
  await expect(approve(other, first)).rejects.toMatchObject({ code: 'pack_altered' })
})

test('a manifest that names another preparer, with the hash made to fit, is not approved', async () => {
  const { books, first } = await world()
  const file = join(first, 'manifest.json')
  const { manifestSha256: _seal, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, manifestText({ ...manifest, preparedBy: 'Bob' }))
  await expect(approve(books, first)).rejects.toMatchObject({
    code: 'pack_altered',
    message: `manifest.json is not the one that run ${manifest.runId} published`,
  })
})

test('the later of a simultaneous close and approval sees the other', async () => {
  const { books, first } = await world()
  const [approval, closing] = await Promise.allSettled([
    approve(books, first),
    turn(books, 'close'),
  ])
  expect(closing.status).toBe('fulfilled')
  const trail = await books.shared.connected(async (_lake, connection) =>
    (await connection.runAndReadAll('select action from lake.ops.audit order by seq'))
      .getRows()
      .flat(),
  )
  expect(trail).toEqual(
    approval.status === 'fulfilled' ? ['pack.approve', 'period.close'] : ['period.close'],
  )
})

test('an act reads and proves the audit trail once', async () => {
  const { books } = await world()
  const lake = await books.shared.lake()
  const connect = lake.connect.bind(lake)
  let proofs = 0
  vi.spyOn(lake, 'connect').mockImplementation(async () => {
    const connection = await connect()
    const read = connection.runAndReadAll.bind(connection)
    vi.spyOn(connection, 'runAndReadAll').mockImplementation((sql, ...values) => {
      if (sql.includes('from lake.ops.audit order by audit.seq')) proofs += 1
      return read(sql, ...values)
    })
    return connection
  })
  for (const kind of ['close', 'reopen', 'close'] as const) {
    proofs = 0
    await turn(books, kind)
    expect(proofs).toBe(1)
  }
})

const checklist = async (books: BooksWorld) =>
  (await closeChecklist(books.settings, '2026-11')).filter(({ name }) => !BY_DAY.includes(name))

test('a run as of an earlier time hides no exception from the close of a month', async () => {
  const { books } = await world()
  const blockers = async () =>
    (await closeChecklist(books.settings, '2026-10'))
      .filter(({ isBlocker }) => isBlocker)
      .map(closeItemWords)
  const days = '31 days without an approved pack'
  expect(await blockers()).toEqual([days])
  await books.publish('early', { asOf: '2026-10-31T23:59:59Z' })
  expect(await blockers()).toEqual([
    'the newest run shows the state before the end of the month; tieout run, or tieout report with a later --as-of, makes a new one',
    days,
  ])
  await books.publish('end', { asOf: '2026-11-01T00:00:00Z' })
  expect(await blockers()).toEqual([days])
})

test('a month with blockers is not closed, unless a reason accepts them; a month that has not begun never is', async () => {
  const { books, first } = await world()
  const close = (period: string, acceptOpen?: string) =>
    act(books)({
      ...{ account: 'acme', actor: 'Ada', reason: 'month end', kind: 'close', period },
      ...(acceptOpen === undefined ? {} : { acceptOpen }),
    })
  expect(await checklist(books)).toMatchObject([
    { name: 'day without an approved pack', isBlocker: true, number: 30 },
    { name: 'unexplained difference', isBlocker: true, number: 1, amount: '10.00' },
  ])
  await expect(close('2026-11')).rejects.toMatchObject({ code: 'close_refused' })
  await expect(close('2199-01', 'whatever')).rejects.toMatchObject({ code: 'close_refused' })
  await approve(books, first)
  // The pack was made in the middle of the 30th.
  expect(await checklist(books)).toMatchObject([
    { name: 'day without an approved pack', isBlocker: true, number: 1 },
    { name: 'unexplained difference', isBlocker: true },
    { name: 'suspense balance', isBlocker: false, amount: '10.00' },
  ])
  await close('2026-11', 'the processor pays in December')
  const [last] = await books.shared.connected(async (_, connection) =>
    rowsOf(connection, 'select detail from lake.ops.audit order by audit.seq desc limit 1'),
  )
  const detail = JSON.parse(String(last?.['detail']))
  expect(detail.acceptedOpen).toContain('1 unexplained difference, 10.00')
  expect(detail.acceptedFor).toBe('the processor pays in December')
})

test('an open error of a record without a time is a note of the month in which it was first found', async () => {
  const { books } = await world()
  await books.shared.connected((_lake, connection) =>
    connection.run(
      `insert into lake.seen.quarantine by name
       select 'acme' as account, 'settlements' as list, 'settlement' as subject_type, '990' as subject_id,
         'created' as field, 'is no time' as reason, timestamp '2026-11-30' as observed_at, 1 as landing_seq`,
    ),
  )
  await books.publish('second')
  const notes = async (period: string) =>
    (await closeChecklist(books.settings, period))
      .filter(({ name }) => name === 'other open error')
      .map(closeItemWords)
  expect(await notes('2026-10')).toEqual([])
  expect(await notes('2026-11')).toEqual(['1 other open error'])
})

test('an explained difference is no blocker, also if its settlement changed by a larger amount', async () => {
  const books = newBooksWorld()
  const days = [2, 3, 4, 5, 6, 7]
  const dollarsOf = (day: number, n: number) => 10 + 7 * day + 31 * n + day * n
  const settlementsWith = (change: (day: number) => string) =>
    days.map((day) => `${900 + day} | 7 | 2026-11-0${day} 22:00:00 | ${change(day)}`).join('\n')
  const netOf = (day: number) => [0, 1, 2].reduce((sum, n) => sum + dollarsOf(day, n), 0)
  await books.land({
    settlements: settlementsWith(
      (day) =>
        `${day === 4 ? netOf(day) + 200 : netOf(day)}.00 | ${day === 4 ? 'PENDING' : 'COMPLETE'}`,
    ),
    transactions: days
      .flatMap((day) =>
        [0, 1, 2].map(
          (n) => `${10 * day + n} | 7 | 2026-11-0${day} 1${n}:00:00 | ${dollarsOf(day, n)}.00 | -`,
        ),
      )
      .join('\n'),
  })
  const short = netOf(4) - dollarsOf(4, 1)
  await books.land({ settlements: `904 | 7 | 2026-11-04 22:00:00 | ${short}.00 | COMPLETE` })
  await books.publish('night')
  const differences = async () =>
    (await checklist(books)).filter(({ name }) => name.endsWith('difference')).map(closeItemWords)
  expect(await differences()).toEqual([`1 explained difference, ${dollarsOf(4, 1)}.00`])
  // The newest run may have a later range.
  await books.publish('later', DECEMBER)
  expect(await differences()).toEqual([`1 explained difference, ${dollarsOf(4, 1)}.00`])
})

test('a pack is approved after later decisions only if the reviewer says so', async () => {
  const { books, first } = await world()
  const [mismatch] = await listExceptions(books.settings, {})
  await act(books)({
    ...{ account: 'acme', actor: 'Ada', reason: 'x', kind: 'exception.assign', to: 'Cid' },
    exceptionId: mismatch?.exceptionId ?? '',
  })
  await expect(approve(books, first)).rejects.toMatchObject({ code: 'approval_unconfirmed' })
  await approve(books, first, { acceptsLater: true })
})

test('a refused pack is approved only if the reviewer says so, and an approved pack is refused no more', async () => {
  const { books, first } = await world()
  const pack = await identified(first)
  const refuse = () =>
    act(books)({ kind: 'refuse', account: 'acme', actor: 'Ada', reason: 'no tips', ...pack })
  expect(await refuse()).toMatchObject({ seq: '1', wasSo: false })
  await expect(approve(books, first)).rejects.toMatchObject({ code: 'approval_unconfirmed' })
  await approve(books, first, { acceptsLater: true })
  await expect(refuse()).rejects.toMatchObject({ code: 'approval_refused' })
})
