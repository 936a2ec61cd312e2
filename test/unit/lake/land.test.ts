/**
 * Goal: a landing adds exactly the new versions, once. Method: batches of records landed in a real lake, and its
 * rows read back.
 */
import { expect, test } from 'vitest'
import { land } from '../../../lake/landing/land.ts'
import { type Landing, type SweepEnd } from '../../../lake/landing/landing.ts'
import { sweepPosition } from '../../../lake/landing/sweep-position.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

const settlement = (id: number, net_cents: string, status = 'COMPLETE') => ({
  settlement_id: String(id),
  terminal_id: '7',
  created: '2026-11-01 00:30:00.000000',
  status,
  net_cents,
  net_noise: false,
})

const landing = (more: Partial<Landing>): Landing => ({
  account: 'acme',
  runId: 'r1',
  sweepId: 'r1/settlements/1',
  list: 'settlements',
  batch: 0,
  rows: [],
  rejects: [],
  pages: [{ offset: 0, asked: 50, count: 1, firstId: '1', lastId: '1', bodySha256: 'ab' }],
  state: { offset: 50 },
  observedAt: '2026-11-02T00:00:00.000Z',
  ...more,
})

const end: SweepEnd = {
  startedSeq: '0',
  coversFrom: null,
  startedAt: '2026-11-02T00:00:00.000Z',
  endedAt: '2026-11-02T00:00:01.000Z',
  pages: 1,
  records: 1,
  quarantined: 0,
  rewinds: 0,
  requests: 1,
  throttled: 0,
  certificate: 'CONTIGUOUS',
  bodiesSha256: 'ab',
}

test('a batch that is landed twice counts once', async () => {
  const { lake, connection } = await tempLake()
  const batch = landing({ rows: [settlement(1, '100'), settlement(2, '200')] })
  expect(await land(lake, connection, batch)).toEqual({ landed: true, newVersions: 2 })
  expect(await land(lake, connection, batch)).toEqual({ landed: false, newVersions: 0 })
  expect(
    await rowsOf(
      connection,
      'select sum(net_cents)::varchar as cents, count(*)::varchar as n from lake.seen.settlement_version',
    ),
  ).toEqual([{ cents: '300', n: '2' }])
  expect(await sweepPosition(connection, 'r1/settlements/1')).toMatchObject({
    batch: 0,
    state: '{"offset":50}',
    records: 2,
    newVersions: 2,
  })
})

test('two simultaneous attempts at one batch land it once', async () => {
  const { lake, connection } = await tempLake()
  const other = await lake.connect()
  const batch = landing({ rows: Array.from({ length: 200 }, (_, i) => settlement(i + 1, '100')) })
  const outcomes = await Promise.all([land(lake, connection, batch), land(lake, other, batch)])
  expect(outcomes.filter((outcome) => outcome.landed)).toHaveLength(1)
  expect(
    await rowsOf(connection, 'select count(*)::varchar as n from lake.seen.settlement_version'),
  ).toEqual([{ n: '200' }])
  other.closeSync()
})

test('an unchanged record is no new version; a changed one is, and so is one that changes back', async () => {
  const { lake, connection } = await tempLake()
  const sweep = (n: number, cents: string) =>
    land(
      lake,
      connection,
      landing({ sweepId: `r${n}/settlements/1`, rows: [settlement(1, cents)] }),
    )
  expect((await sweep(1, '100')).newVersions).toBe(1)
  expect((await sweep(2, '100')).newVersions).toBe(0)
  expect((await sweep(3, '150')).newVersions).toBe(1)
  expect((await sweep(4, '100')).newVersions).toBe(1)
})

test('a record seen twice in one batch with different amounts leaves both versions in order', async () => {
  const { lake, connection } = await tempLake()
  await land(
    lake,
    connection,
    landing({ rows: [settlement(1, '100'), settlement(1, '150'), settlement(1, '150')] }),
  )
  expect(
    await rowsOf(
      connection,
      'select net_cents::varchar as cents from lake.seen.settlement_version order by landing_seq, ordinal',
    ),
  ).toEqual([{ cents: '100' }, { cents: '150' }])
})

test('a quarantined record that is read well again becomes a version, even without other change', async () => {
  const { lake, connection } = await tempLake()
  const reject = {
    subject_type: 'settlement',
    subject_id: '1',
    terminal_id: '7',
    created: '2026-11-01 00:30:00.000000',
    field: 'amountNet',
    reason: 'more than two decimals',
    excerpt: '1.234',
    record_sha256: 'cd',
  }
  await land(lake, connection, landing({ sweepId: 'a', rows: [settlement(1, '100')] }))
  await land(lake, connection, landing({ sweepId: 'b', rejects: [reject, reject] }))
  await land(lake, connection, landing({ sweepId: 'c', rejects: [reject] }))
  expect(
    await rowsOf(connection, 'select count(*)::varchar as n from lake.seen.quarantine'),
  ).toEqual([{ n: '1' }])
  expect(
    (await land(lake, connection, landing({ sweepId: 'd', rows: [settlement(1, '100')] })))
      .newVersions,
  ).toBe(1)
  // Unreadable in just the way it was before: the good version in between no longer holds.
  await land(lake, connection, landing({ sweepId: 'e', rejects: [reject] }))
  await land(lake, connection, landing({ sweepId: 'f', rejects: [reject] }))
  expect(
    await rowsOf(
      connection,
      'select landing_seq::varchar as seq from lake.seen.quarantine order by landing_seq',
    ),
  ).toEqual([{ seq: '2' }, { seq: '5' }])
})

test('each sweep that lists an unreadable record without an id quarantines it once', async () => {
  const { lake, connection } = await tempLake()
  const reject = {
    ...{ subject_type: 'settlement', subject_id: 'sha256:cd', terminal_id: '7' },
    ...{ created: '2026-11-01 00:30:00.000000', field: 'id', reason: 'absent' },
    ...{ excerpt: '', record_sha256: 'cd' },
  }
  for (const [sweepId, batch] of [
    ['a', 0],
    ['b', 0],
    ['b', 1],
  ] as const) {
    await land(lake, connection, landing({ sweepId, batch, rejects: [reject, reject] }))
  }
  expect(
    await rowsOf(
      connection,
      'select sweep_id, landing_seq::varchar as seq from lake.seen.quarantine order by landing_seq',
    ),
  ).toEqual([
    { sweep_id: 'a', seq: '1' },
    { sweep_id: 'b', seq: '2' },
  ])
})

test.each([
  { records: 2, how: 'at once' },
  { records: 600_000, how: 'in shares' },
])(
  'a record that a finished sweep did not list is marked absent, and present when it is back, $how',
  async ({ records }) => {
    const long = { ...end, records }
    const { lake, connection } = await tempLake()
    let begun = 0
    const sweep = (sweepId: string, ids: number[]) => {
      const rows = ids.map((id) => settlement(id, '100'))
      const startedSeq = String(begun++)
      return land(lake, connection, landing({ sweepId, rows, end: { ...long, startedSeq } }))
    }
    await sweep('a', [1, 2])
    await sweep('b', [1])
    await sweep('c', [1])
    await sweep('d', [1, 2])
    expect(
      await rowsOf(
        connection,
        'select subject_id::varchar as id, present, sweep_id from lake.seen.presence order by landing_seq',
      ),
    ).toEqual([
      { id: '2', present: false, sweep_id: 'b' },
      { id: '2', present: true, sweep_id: 'd' },
    ])
    expect(
      await rowsOf(connection, 'select count(*)::varchar as n from lake.ops.sighting'),
    ).toEqual([{ n: '0' }])
  },
)

test.each([{ first: '8' }, { first: '7' }])(
  'a record that moved between terminals which are swept one by one is present, terminal $first first',
  async ({ first }) => {
    const { lake, connection } = await tempLake()
    const listed = (terminal_id: string) => ({ ...settlement(1, '100'), terminal_id })
    let begun = 0
    const sweep = (runId: string, terminalId: string, rows: Landing['rows']) => {
      const sweepId = `${runId}/settlements/1/${terminalId}`
      const after = { ...end, startedSeq: String(begun++) }
      return land(lake, connection, landing({ runId, sweepId, terminalId, rows, end: after }))
    }
    await sweep('r1', '7', [listed('7')])
    for (const terminalId of first === '8' ? ['8', '7'] : ['7', '8']) {
      await sweep('r2', terminalId, terminalId === '8' ? [listed('8')] : [])
    }
    const reader = await connection.runAndReadAll(
      'select coalesce(arg_max(present, landing_seq), true) from lake.seen.presence',
    )
    expect(reader.getRows()).toEqual([[true]])
  },
)

test('a list of some terminals shows which of these are absent, and nothing of others', async () => {
  const { lake, connection } = await tempLake()
  const list = (runId: string, ids: string[], only?: string[]) =>
    land(
      lake,
      connection,
      landing({
        ...{ runId, sweepId: `${runId}/terminals/1`, list: 'terminals', only, end },
        rows: ids.map((terminal_id) => ({ terminal_id, nick_name: 'Bar' })),
      }),
    )
  await list('r1', ['7', '8', '9'])
  await list('r2', ['7'], ['7', '8'])
  expect(
    await rowsOf(connection, 'select subject_id::varchar as id, present from lake.seen.presence'),
  ).toEqual([{ id: '8', present: false }])
})

test('the end of one sweep leaves the sightings of another running sweep', async () => {
  const { lake, connection } = await tempLake()
  const batch = (about: Partial<Landing>) => land(lake, connection, landing(about))
  await batch({ sweepId: 'a', rows: [settlement(1, '100')] })
  await batch({ sweepId: 'b', rows: [settlement(1, '100'), settlement(2, '100')], end })
  await batch({ sweepId: 'a', batch: 1, rows: [settlement(2, '100')], end })
  expect(await rowsOf(connection, 'select * from lake.seen.presence')).toEqual([])
})

test('a sweep that saw a record before a later one missed it does not call it present again', async () => {
  const { lake, connection } = await tempLake()
  const batch = (about: Partial<Landing>) => land(lake, connection, landing(about))
  await batch({ sweepId: 'a', rows: [settlement(1, '100'), settlement(2, '100')], end })
  const after = { ...end, startedSeq: '1' }
  await batch({ sweepId: 'b', rows: [settlement(1, '100')] })
  await batch({ sweepId: 'c', rows: [settlement(2, '100')], end: { ...end, startedSeq: '2' } })
  await batch({ sweepId: 'b', batch: 1, rows: [settlement(2, '100')], end: after })
  expect(
    await rowsOf(connection, 'select present, sweep_id from lake.seen.presence order by all'),
  ).toEqual([{ present: false, sweep_id: 'c' }])
})

test('the sightings of an interrupted sweep are deleted a week later', async () => {
  const { lake, connection } = await tempLake()
  const batch = (about: Partial<Landing>) => land(lake, connection, landing(about))
  await batch({
    sweepId: 'a',
    rows: [settlement(1, '100')],
    observedAt: '2026-10-20T00:00:00.000Z',
  })
  await batch({ sweepId: 'b', rows: [settlement(1, '100')], end })
  expect(await rowsOf(connection, 'select * from lake.ops.sighting')).toEqual([])
})

test('a list with records of a refused terminal shows that the terminal is answered again', async () => {
  const { lake, connection } = await tempLake()
  const of = (terminal_id: string, id: number) => ({ ...settlement(id, '100'), terminal_id })
  const night = (runId: string, more: Partial<Landing>) =>
    land(lake, connection, landing({ runId, sweepId: `${runId}/settlements/1`, ...more }))
  await night('r1', { rows: [of('7', 1), of('8', 2), of('9', 3)], end })
  for (const terminalId of ['7', '8', '9']) {
    const refusal = { status: 400, parameter: null }
    await night('r2', { sweepId: `r2/settlements/1/${terminalId}`, terminalId, refusal })
  }
  // Terminal 7 has nothing new. The record of 8 is now of 10. Terminal 9 is not listed.
  await night('r3', { rows: [of('7', 1)] })
  await night('r3', { batch: 1, rows: [of('10', 2)], end })
  expect(
    await rowsOf(
      connection,
      'select terminal_id, sweep_id from lake.seen.refusal where not refused',
    ),
  ).toEqual([{ terminal_id: '7', sweep_id: 'r3/settlements/1' }])
})

test('a record that another run has since landed in a newer state is not landed, and is read again', async () => {
  const { lake, connection } = await tempLake()
  const batch = (about: Partial<Landing>) => land(lake, connection, landing(about))
  const old = settlement(1, '100', 'PENDING')
  await batch({ sweepId: 'r0/settlements/1', rows: [old] })
  const readSince = 1n
  // The nightly run reads later than the backfill, and lands earlier.
  await batch({ runId: 'night', sweepId: 'night/settlements/1', rows: [settlement(1, '100')] })
  const late = { runId: 'past', sweepId: 'past/settlements/1', readSince, rows: [old] }
  expect(await batch(late)).toEqual({ landed: false, newVersions: 0 })
  // Records that did not change, or that both have read alike, are landed as ever.
  const same = { ...late, rows: [settlement(1, '100'), settlement(2, '100')] }
  expect(await batch(same)).toEqual({ landed: true, newVersions: 1 })
  const statuses = await rowsOf(
    connection,
    'select status from lake.seen.settlement_version where settlement_id = 1 order by landing_seq',
  )
  expect(statuses).toEqual([{ status: 'PENDING' }, { status: 'COMPLETE' }])
})

test('amounts and ids close to the limits come back to the last digit', async () => {
  const { lake, connection } = await tempLake()
  const big = { ...settlement(1, '-999999999999999'), settlement_id: '9223372036854775807' }
  await land(lake, connection, landing({ rows: [big] }))
  expect(
    await rowsOf(
      connection,
      'select settlement_id::varchar as id, net_cents::varchar as cents from lake.seen.settlement_version',
    ),
  ).toEqual([{ id: '9223372036854775807', cents: '-999999999999999' }])
})

test('a second process reads the lake while the first one has it open', async () => {
  const { lake, connection } = await tempLake()
  await land(lake, connection, landing({ rows: [settlement(1, '100')] }))
  const reader = await openLake(lake.settings, { create: false })
  const other = await reader.connect()
  await land(lake, connection, landing({ batch: 1, rows: [settlement(2, '100')] }))
  expect(
    await rowsOf(other, 'select count(*)::varchar as n from lake.seen.settlement_version'),
  ).toEqual([{ n: '2' }])
  other.closeSync()
  reader.close()
})

test('a value that moves to the next column is a change, and so is one that becomes empty instead of absent', async () => {
  const { lake, connection } = await tempLake()
  const names = [
    { nick_name: 'North', type: null },
    { nick_name: null, type: 'North' },
    { nick_name: '', type: 'North' },
  ]
  for (const [n, name] of names.entries()) {
    const rows = [{ terminal_id: '7', ...name }]
    const about = { list: 'terminals', sweepId: `r${n}/terminals/1`, rows } as const
    expect(await land(lake, connection, landing(about))).toMatchObject({ newVersions: 1 })
  }
})

test('the hash of a version equals the one in older lakes, because another would give every record a new version', async () => {
  const { lake, connection } = await tempLake()
  await land(lake, connection, landing({ rows: [settlement(1, '-100'), settlement(2, '200')] }))
  const transaction = {
    transaction_id: '5',
    terminal_id: '7',
    action: 'CHARGE',
    created: '2026-11-01 10:00:00.123456',
    approved: true,
    total_cents: '1230',
    surcharge_percentage: '3.5',
    billing_hash: 'ab'.repeat(32),
  }
  const sweepId = 'r1/transactions/1'
  await land(lake, connection, landing({ sweepId, list: 'transactions', rows: [transaction] }))
  expect(
    await rowsOf(
      connection,
      `select content_hash::varchar as hash from lake.seen.settlement_version
       union all select content_hash::varchar from lake.seen.transaction_version order by 1`,
    ),
  ).toEqual([
    { hash: '16419503713257339499' },
    { hash: '5523429214396289282' },
    { hash: '687832968932700800' },
  ])
})
