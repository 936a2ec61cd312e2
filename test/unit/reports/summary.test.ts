/** Goal: the summary page agrees with the files of its pack. Method: small packs, and the text of their pages. */
import { expect, test, vi } from 'vitest'
import { readSummary } from '../../../reports/pack/summary.ts'
import { barsOf } from '../../../reports/page/waterfall.ts'
import { renderHtml } from '../../../reports/page/summary-html.ts'
import { prepareModels, readModels, runModels } from '../../../lake/run/models.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'
import { aboutOf, exception, settlement, sourceOf, unsettled, worldOf } from './fake-source.ts'
import { PAGE_WORLD } from './page-world.ts'
import { summarized, type World } from './summary-world.ts'
import { bindViews } from '../../support/bind-views.ts'
import { runVariables } from '../../support/run-variables.ts'

const summaryOf = async (world: World) => readSummary(sourceOf(await summarized(worldOf(world))))
const pageOf = async (world: World, more = {}) =>
  renderHtml(await summaryOf(world), aboutOf('out', more))

test('the headline counts settlements by verdict', async () => {
  const verdicts = ['TIED', 'TIED', 'EXPLAINED', 'BREAK', 'PENDING', 'NO_DATA']
  const { headline } = await summaryOf({
    settlements: verdicts.map((verdict) => settlement({ verdict })),
  })
  expect(headline).toEqual({
    settlements: 6,
    tied: 2,
    explained: 1,
    breaks: 1,
    pending: 1,
    noData: 1,
  })
})

test('exceptions are counted by code, errors before warnings', async () => {
  const { codes } = await summaryOf({
    exceptions: [
      exception({ code: 'PENDING_STALE', severity: 'warning' }),
      exception({ code: 'QUARANTINED' }),
      exception(),
      exception(),
    ],
  })
  expect(codes.map((row) => [row['code'], row['count']])).toEqual([
    ['AMOUNT_MISMATCH', '2'],
    ['QUARANTINED', '1'],
    ['PENDING_STALE', '1'],
  ])
})

test('ages add up to the cent: 12.30 refunded and 20.00 charged leave 7.70', async () => {
  const { ageing } = await summaryOf({
    unsettled: [unsettled(), unsettled({ signedAmount: '20.00' }), unsettled({ bucket: '>30' })],
  })
  expect(ageing.map((row) => [row['bucket'], row['count'], row['signedAmount']])).toEqual([
    ['0-1', '0', '0.00'],
    ['2-5', '0', '0.00'],
    ['6-10', '2', '7.70'],
    ['11-30', '0', '0.00'],
    ['>30', '1', '-12.30'],
  ])
})

test('a break is the first statement on the page', async () => {
  const page = await pageOf({})
  expect(page).toContain(
    '1 of 2 settlements of this range differs from its transactions, unexplained.',
  )
  expect(page).toContain('class="banner bad"')
})

test('a waived break is called one wherever it is counted', async () => {
  const world = (state: string) => ({
    settlements: [settlement({ verdict: 'BREAK', settlementId: '901', difference: '-20.00' })],
    exceptions: [exception({ subjectId: '901', state })],
  })
  const page = await pageOf(world('WAIVED'))
  expect(page).toContain('its transactions, unexplained, 1 of them waived or resolved.')
  expect(page).toContain('<b>1</b> break, 1 of them waived or resolved')
  expect(await pageOf(world('OPEN'))).not.toContain('waived')
})

test('a settlement created after --as-of has posted nothing, and its break counts as undecided', async () => {
  const later = { settlementId: '902', created: '2026-12-01T00:00:00Z' }
  const page = await pageOf({
    settlements: [settlement(), settlement({ ...later, verdict: 'BREAK', difference: '-20.00' })],
    exceptions: [],
  })
  expect(page).toContain('its transactions, unexplained, 1 of them created after --as-of.')
  expect(page).toContain('The net of 1 COMPLETE settlement, <b>130.00 USD</b>, was posted')
  expect(page).not.toContain('<td>Waived or resolved')
})

test('a day on which two differences cancel is one that differs', async () => {
  const { days } = await summaryOf({
    settlements: ['35.48', '-35.48'].map((difference) =>
      settlement({ verdict: 'BREAK', difference }),
    ),
  })
  expect(days.map((row) => [row['differing'], row['difference']])).toEqual([['2', '0.00']])
  expect(
    await pageOf({
      settlements: ['35.48', '-35.48'].map((difference) =>
        settlement({ verdict: 'BREAK', difference }),
      ),
    }),
  ).toContain('1 day, of which 1 has settlements that differ. 2026-03-02: net 0.00.')
})

test('the net difference of a terminal leaves PENDING out, like that of its days', async () => {
  const { days, terminals } = await summaryOf({
    settlements: [
      settlement({ verdict: 'BREAK', difference: '-20.00' }),
      settlement({ verdict: 'PENDING', difference: '35.48' }),
    ],
    exceptions: [exception()],
  })
  expect([...days, ...terminals].map((row) => row['difference'])).toEqual(['-20.00', '-20.00'])
})

test('the nets at the top leave PENDING out, and say so', async () => {
  const settlements = [
    settlement(),
    settlement({ settlementId: '901', verdict: 'PENDING', status: 'PENDING' }),
  ]
  const page = await pageOf({ settlements })
  expect(page).toContain('<b>2</b> settlements')
  expect(page).toContain('<dt>Reported net of tied, explained and breaks, USD</dt><dd>130.00</dd>')
  expect(await pageOf({ settlements: [settlement()] })).toContain('<b>1</b> settlement<')
})

test('the page says what the journal has in cash in transit if that is not the net of the range', async () => {
  const settlements = [settlement({ reportedNet: '130.00' })]
  expect(await pageOf({ settlements })).not.toContain('The journal of this range has')
  const line = (debit_cents: string | null, credit_cents: string | null) => ({
    ...{ account_key: 'cash_in_transit', debit_cents, credit_cents },
  })
  const journal_line = [line('13000', null), line('145', null), line(null, '45')]
  const page = await pageOf({ settlements, journal_line })
  expect(page).toContain('The net of 1 COMPLETE settlement, <b>130.00 USD</b>')
  expect(page).toContain('The journal of this range has <b>131.00 USD</b> there')
})

test('a section of the range names what it leaves out', async () => {
  const old = { ageDays: '400', severity: 'warning' }
  const page = await pageOf({
    exceptions: [
      exception({ ...old, code: 'REFUND_CEILING_BREACH' }),
      exception({ ...old, code: 'PENDING_DRIFT' }),
    ],
  })
  expect(page).toContain(
    'None in this range. 1 REFUND_CEILING_BREACH of other dates stands under Exceptions.',
  )
  expect(page).toContain(
    'changed its amount. 1 PENDING_DRIFT of other dates stands under Exceptions.',
  )
  const pending = await readSummary(sourceOf(await summarized(PAGE_WORLD)))
  expect(renderHtml(pending, aboutOf('out'))).toContain(
    '1 of any date PENDING still, 1 of them of this range.',
  )
})

test('the comparison names the earlier pack, and says if its range is another one', async () => {
  const page = renderHtml(await readSummary(sourceOf(await summarized(PAGE_WORLD))), aboutOf('out'))
  expect(page).toContain('<h2>Since the earlier pack of 2026-02-01 to 2026-02-27</h2>')
  expect(page).toContain('Its range is not the range of this pack')
  expect(page).toContain('<li><b>1</b> exception is solved or gone</li>')
})

test('the page praises only a range in which every completed settlement ties out', async () => {
  expect(await pageOf({ settlements: [settlement()] })).toContain(
    'Every completed settlement of this range ties out',
  )
  for (const verdict of ['BREAK', 'NO_DATA', 'EXPLAINED', 'PENDING']) {
    expect(await pageOf({ settlements: [settlement({ verdict })] })).not.toContain(
      'ties out to the cent',
    )
  }
  expect(await pageOf({ settlements: [] })).toContain('No settlement was created in this range.')
})

test('the verdict speaks of the range, and counts older differences that are still open', async () => {
  const older = (...ids: string[]) => ids.map((subjectId) => exception({ subjectId }))
  const explained = [settlement({ verdict: 'EXPLAINED', difference: '-20.00' })]
  expect(await pageOf({ settlements: explained, exceptions: older('850', '851') })).toContain(
    '<p class="verdict">Every difference of this range is explained. 2 older differences are still open.</p>',
  )
  expect(await pageOf({ settlements: [settlement()], exceptions: older('850') })).toContain(
    'Every completed settlement of this range ties out to the cent. 1 older difference is still open.',
  )
  expect(await pageOf({ settlements: explained, exceptions: [] })).toContain(
    '<p class="verdict">Every difference of this range is explained.</p>',
  )
})

test('an uncertified sweep is shown in red', async () => {
  expect(await pageOf({}, { certificate: 'BEST_EFFORT' })).toContain('class="note bad"')
  expect(await pageOf({})).not.toContain('class="note bad"')
})

test('data never becomes markup, and nothing on the page loads or runs', async () => {
  const nasty = `<img src=x onerror="alert('1')">&`
  const page = await pageOf(
    { settlements: [settlement({ terminalName: nasty, difference: '1.00', explanation: nasty })] },
    { codeVersion: nasty, parameters: { timezone: nasty, currency: nasty } },
  )
  expect(page).not.toContain('<img')
  expect(page).not.toContain('<script')
  expect(page).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;')
  expect(page).toContain(`default-src 'none'`)
  expect(page).not.toMatch(/https?:|url\(|@import|\bon\w+="/)
})

test('the page draws 12 differences, lists 28, and counts the rest', async () => {
  const many = Array.from({ length: 43 }, (_, n) =>
    settlement({ settlementId: `${n}`, difference: '1.00', verdict: 'BREAK' }),
  )
  const page = await pageOf({ settlements: many })
  expect(page).toContain('And 3 more in settlements.csv.')
  expect(page.match(/<h3>Settlement /g)).toHaveLength(12)
  expect(page).toContain('<td class="whole" data-title="Settlement">39</td>')
  expect(page).not.toContain('<td class="whole" data-title="Settlement">40</td>')
})

test('the same rows give the same page, a year later and in another time zone', async () => {
  const summary = await readSummary(sourceOf(await summarized(PAGE_WORLD)))
  const today = renderHtml(summary, aboutOf('out'))
  const zone = process.env['TZ']
  process.env['TZ'] = 'Asia/Tokyo'
  vi.useFakeTimers({ now: new Date('2027-11-21T10:00:00Z'), toFake: ['Date'] })
  try {
    expect(renderHtml(summary, aboutOf('out'))).toBe(today)
  } finally {
    vi.useRealTimers()
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test('the steps of a settlement lead from the reported to the computed net, transaction by transaction', async () => {
  const { steps, differences } = await readSummary(sourceOf(await summarized(PAGE_WORLD)))
  const told = steps.map((row) =>
    ['settlementId', 'transactions', 'transactionId', 'isMember', 'effect']
      .map((name) => row[name] ?? '-')
      .join(' '),
  )
  expect(told).toEqual([
    '902 1 5002 true -45.30',
    '903 1 5003 true -40.00',
    '904 1 5004 true 35.00',
    '904 1 5005 false -10.00',
    '905 2 - true 12.40',
  ])
  const [figures] = differences
    .filter((row) => row['settlementId'] === '904')
    .map((row) =>
      barsOf(
        row,
        steps.filter((step) => step['settlementId'] === '904'),
      ),
    )
  expect(figures?.map(({ name, from, to, figure }) => [name, from, to, figure])).toEqual([
    ['Reported net', 0n, 0n, '105.00'],
    ['Charge 5004', 0n, 3500n, '+35.00'],
    ['Charge 5005', 3500n, 2500n, '-10.00'],
    ['Computed net', 2500n, 2500n, '130.00'],
  ])
})

test('the changes since the last pack are those of the days in both, and exceptions of any date', async () => {
  const { changes } = await readSummary(sourceOf(await summarized(PAGE_WORLD)))
  const told = changes.map((row) =>
    ['kind', 'subjectId', 'code', 'before', 'after', 'ofKind']
      .map((name) => row[name] ?? '-')
      .join(' | '),
  )
  expect(told).toEqual([
    'RESTATED | 902 | - | PENDING, reported 130.00 | EXPLAINED, reported 175.30, computed 130.00 | 1',
    'ADDED | 901 | - | - | BREAK, reported 150.00, computed 130.00 | 7',
    'ADDED | 906 | - | - | BREAK, reported 900849.25, computed 130.00 | 7',
    'ADDED | 900 | - | - | TIED, reported 130.00, computed 130.00 | 7',
    'ADDED | 903 | - | - | EXPLAINED, reported 170.00, computed 130.00 | 7',
    'ADDED | 904 | - | - | EXPLAINED, reported 105.00, computed 130.00 | 7',
    'ADDED | 905 | - | - | EXPLAINED, reported 117.60, computed 130.00 | 7',
    'ADDED | 907 | - | - | PENDING, reported 130.00, computed 130.00 | 7',
    'OPENED | 901 | AMOUNT_MISMATCH | - | -20.00 | 5',
    'OPENED | 906 | AMOUNT_MISMATCH | - | -20.00 | 5',
    'OPENED | sha256:0123456789abcdef | QUARANTINED | - | -20.00 | 5',
    'OPENED | 5009 | REFUND_CEILING_BREACH | - | -20.00 | 5',
    'OPENED | 907 | PENDING_DRIFT | - | -20.00 | 5',
    'CLOSED | 902 | PENDING_STALE | - | - | 1',
  ])
})

test('only PENDING settlements that need a look are drawn: open ones, and those that changed', async () => {
  const { pending } = await readSummary(sourceOf(await summarized(PAGE_WORLD)))
  expect(
    pending.map((row) => `${row['settlementId']} ${row['status']} ${row['reportedNet']}`),
  ).toEqual([
    '907 PENDING 80.00',
    '907 PENDING 95.00',
    '899 PENDING 80.00',
    '899 PENDING 82.00',
    '899 COMPLETE 82.00',
  ])
})

test('the first pack of an account has no comparison, and says so', async () => {
  expect(await pageOf({})).toContain(
    'There is no pack from before the newest landing to compare with.',
  )
})

test('the previous pack is the newest one of earlier knowledge whose control totals passed', async () => {
  const { connection } = await tempLake()
  await connection.run(`
    insert into lake.ops.run (run_id, account, window_from, window_to, as_of, known_at, recorded_at) values
      ('old', 'acme', '2026-01-01', '2026-02-01', '2026-02-01', 3, '2026-02-01'),
      ('wanted', 'acme', '2026-01-02', '2026-02-02', '2026-02-02', 5, '2026-02-02'),
      ('remade', 'acme', '2026-01-02', '2026-02-02', '2026-02-02', 5, '2026-02-09'),
      ('withheld', 'acme', '2026-01-03', '2026-02-03', '2026-02-03', 6, '2026-02-03'),
      ('other', 'bolt', '2026-01-03', '2026-02-03', '2026-02-03', 6, '2026-02-03'),
      ('same', 'acme', '2026-01-04', '2026-02-04', '2026-02-04', 7, '2026-02-04')`)
  await connection.run(
    `insert into lake.result.control_totals (run_id, "pass") values ('withheld', 'false'), ('wanted', 'true')`,
  )
  await prepareModels(connection, runVariables({ known_at: 7n }))
  const models = readModels().filter(({ name }) => name === 'previous_run')
  await bindViews(connection, models)
  await runModels(connection, models)
  expect(await rowsOf(connection, 'select run_id, is_approved from previous_run')).toEqual([
    { run_id: 'wanted', is_approved: false },
  ])
})

test('the page names the preparer, the time of the run, and the file that will name who approved', async () => {
  const named = await pageOf({}, { preparedBy: 'Ann', runId: '20260302T081530Z-ab12cd34' })
  expect(named).toContain('<dt>Prepared by</dt><dd>Ann</dd>')
  expect(named).toContain('<dt>Prepared at</dt><dd>2026-03-02 08:15:30 UTC</dd>')
  expect(named).toContain('approval.json beside it says by whom and when')
  expect(await pageOf({})).toContain('<dt>Prepared by</dt><dd>not named</dd>')
})

test('the page lists the approvals of earlier packs of its days that the run knew', async () => {
  const { approvals } = await readSummary(sourceOf(await summarized(PAGE_WORLD)))
  expect(approvals).toEqual([
    {
      ...{ runId: 'run-0', from: '2026-02-01', to: '2026-02-27' },
      ...{ preparedBy: 'Ann', approvedBy: 'Ben', approvedAt: '2026-02-28T09:30:00.000Z' },
    },
  ])
  const page = renderHtml(await readSummary(sourceOf(await summarized(PAGE_WORLD))), aboutOf('out'))
  expect(page).toContain('Earlier packs of these days that were approved')
  expect(page).toContain('2026-02-28 09:30:00')
})

test('an approval counts if the run knew it and the pack has days of the range', async () => {
  const { connection } = await tempLake()
  await connection.run(`
    insert into lake.ops.run (run_id, account, window_from, window_to) values
      ('before', 'acme', '2025-12-01', '2026-01-01'),
      ('month', 'acme', '2026-01-01', '2026-02-01'),
      ('other', 'bolt', '2026-01-01', '2026-02-01')`)
  await connection.run(`
    insert into lake.ops.audit (seq, account, acted_at, actor, action, subject, detail)
    select seq, account, 'then', 'Ben', 'pack.approve', subject, '{"preparedBy":"Ann"}'
    from (values
      (1, 'acme', 'before'), (2, 'acme', 'month'), (3, 'bolt', 'other'), (5, 'acme', 'month')
    ) as act (seq, account, subject)`)
  const range = { from_date: '2026-01-01', to_date: '2026-01-15', audit_seq: 4n }
  await prepareModels(connection, runVariables(range))
  const models = readModels().filter(({ name }) => name === 'earlier_approval')
  await bindViews(connection, models)
  await runModels(connection, models)
  expect(
    await rowsOf(connection, 'select run_id, prepared_by, approved_by from earlier_approval'),
  ).toEqual([{ run_id: 'month', prepared_by: 'Ann', approved_by: 'Ben' }])
})
