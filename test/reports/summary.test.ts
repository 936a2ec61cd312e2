import { expect, test, vi } from 'vitest'
import { readSummary } from '../../reports/summary.ts'
import { renderHtml } from '../../reports/summary-html.ts'
import { aboutOf, exception, settlement, sourceOf, unsettled, worldOf } from './fake-source.ts'
import { summarized, type World } from './summary-world.ts'

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

test('a break is the first thing the page says', async () => {
  const page = await pageOf({})
  expect(page).toContain('1 of 2 settlements differ from their transactions, unexplained.')
  expect(page).toContain('class="banner bad"')
})

test('the page praises only a range in which every completed settlement ties out', async () => {
  expect(await pageOf({ settlements: [settlement()] })).toContain(
    'Every completed settlement ties out',
  )
  for (const verdict of ['BREAK', 'NO_DATA', 'EXPLAINED', 'PENDING']) {
    expect(await pageOf({ settlements: [settlement({ verdict })] })).not.toContain(
      'ties out to the cent',
    )
  }
  expect(await pageOf({ settlements: [] })).toContain('No settlement was created in this range.')
})

test('a sweep that proves nothing is said in red', async () => {
  expect(await pageOf({}, { certificate: 'BEST_EFFORT' })).toContain('class="note bad"')
  expect(await pageOf({})).not.toContain('class="note bad"')
})

test('nothing that comes from data can become markup, and nothing on the page loads or runs', async () => {
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

test('the page shows the 40 largest differences and says how many more there are', async () => {
  const many = Array.from({ length: 43 }, (_, n) =>
    settlement({ settlementId: `${n}`, difference: '1.00', verdict: 'BREAK' }),
  )
  const page = await pageOf({ settlements: many })
  expect(page).toContain('And 3 more in settlements.csv.')
  expect(page).toContain('<td class="figure">39</td>')
  expect(page).not.toContain('<td class="figure">40</td><td class="figure">7</td>')
})

test('the same rows give the same page, a year later', async () => {
  const summary = await summaryOf({})
  const today = renderHtml(summary, aboutOf('out'))
  vi.useFakeTimers({ now: new Date('2027-11-21T10:00:00Z'), toFake: ['Date'] })
  try {
    expect(renderHtml(summary, aboutOf('out'))).toBe(today)
  } finally {
    vi.useRealTimers()
  }
})
