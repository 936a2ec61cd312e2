/** Goal: a list is read even if large pages take too long. Method: scripted services that answer only smaller pages. */
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { PageLimits } from '../../../api/http/page-limit.ts'
import { answer, LAST_PAGE, refusal, scripted, type Act } from './scripted-server.ts'

const GOOD = answer(LAST_PAGE)
const PATIENT = { retryBudget_ms: 60_000, timeout_ms: 300 }

/** Does something else for every limit above 100. */
const slowAbove100 =
  (instead: (socket: Socket) => void): Act =>
  (socket, { url }) => {
    if (Number(url.searchParams.get('limit')) > 100) instead(socket)
    else socket.write(GOOD)
  }
const limitsOf = (asked: { url: URL }[]) => asked.map(({ url }) => url.searchParams.get('limit'))

test.each<[string, (socket: Socket) => void]>([
  ['504 of a gateway', (socket) => socket.write(refusal('504 Gateway Time-out', '<html>'))],
  ['500', (socket) => socket.write(refusal('500 Sorry', ''))],
  ['no answer in time', () => {}],
  ['a reset while it is read', (socket) => socket.end(GOOD.subarray(0, -4))],
])(
  'a page that is too large is requested in quarters, and its size is remembered after the second time: %s',
  async (_, instead) => {
    const { source, asked, outcome } = await scripted([slowAbove100(instead)], PATIENT)
    const large = { limit: 1000 }
    expect(await outcome(large)).toMatchObject({ code: 'page', text: '1 of 62' })
    expect(source.pageSize('settlements')).toBe(50)
    expect(await outcome(large)).toMatchObject({ code: 'page', text: '1 of 62' })
    expect(limitsOf(asked)).toEqual(['1000', '250', '62', '1000', '250', '62'])
    expect(source.pageSize('settlements')).toBe(62)
    expect(await outcome(large)).toMatchObject({ requests: 1, text: '1 of 62' })
    // Another list may take more.
    expect(source.pageSize('transactions')).toBe(50)
  },
)

test('a single failure does not lower the limit: a large page that arrives is requested again', async () => {
  const busy = refusal('502 Bad Gateway', '')
  const { source, asked, outcome } = await scripted([busy, GOOD, GOOD, busy, GOOD], PATIENT)
  for (const _ of [1, 2, 3]) await outcome({ limit: 1000 })
  expect(limitsOf(asked)).toEqual(['1000', '250', '1000', '1000', '250'])
  expect(source.pageSize('settlements')).toBe(50)
})

test('a limit is halved at once after a 413, and remembered', async () => {
  const tooLarge = (socket: Socket) => socket.write(refusal('413 Content Too Large', ''))
  const { source, outcome } = await scripted([slowAbove100(tooLarge)])
  expect(await outcome({ limit: 400 })).toMatchObject({ code: 'page', text: '1 of 100' })
  expect(source.pageSize('settlements')).toBe(100)
})

test('the error names the setting if fewer records do not help either', async () => {
  const service = await scripted([refusal('504 Gateway Time-out', '')], { retryBudget_ms: 1500 })
  const outcome = await service.outcome({ limit: 1000 })
  expect(outcome.code).toBe('source_unreachable')
  expect(outcome.text).toMatch(
    /^HOST answered 504 to GET \/settlements, though fewer and fewer records were asked for, [0-9]+ at last; source.page_size sets how many; [0-9]+ tries$/,
  )
})

test('a busy or unreachable service gets requests of the same size', async () => {
  const busy = refusal('503 Busy', '')
  const { asked, outcome } = await scripted([busy, busy, GOOD], PATIENT)
  await outcome({ limit: 1000 })
  expect(limitsOf(asked)).toEqual(['1000', '1000', '1000'])
})

const forbidden: Act = (socket, { url }) =>
  socket.write(url.pathname === '/terminals' ? refusal('403 Forbidden', '{}') : GOOD)

test('a refusal of one list alone is not reported as wrong credentials', async () => {
  const { source, outcome } = await scripted([forbidden])
  const ask = { offset: 0, limit: 50 }
  await outcome()
  await expect(source.page('terminals', ask)).rejects.toMatchObject({
    code: 'source_refused',
    status: 403,
    isAboutAddress: true,
    message: expect.stringContaining('the credentials were taken for another list'),
  })
  // The others go on.
  expect(await outcome()).toMatchObject({ code: 'page' })
})

test('a refusal of the first request, or of a list that was answered before, is reported as wrong credentials', async () => {
  const first = await scripted([forbidden])
  await expect(first.source.page('terminals', { offset: 0, limit: 50 })).rejects.toMatchObject({
    code: 'source_unauthorized',
  })
  const later = await scripted([GOOD, refusal('401 Unauthorized', '')])
  await later.outcome()
  expect(await later.outcome()).toMatchObject({ code: 'source_unauthorized' })
})

test('a page that was requested before the first slow one was answered is no second case', () => {
  const limits = new PageLimits()
  const [first, second] = [limits.begin('settlements', 400), limits.begin('settlements', 400)]
  for (const page of [first, second]) {
    page.slow()
    page.answered()
  }
  expect(limits.accepted('settlements')).toBeUndefined()
  const third = limits.begin('settlements', 400)
  third.slow()
  third.answered()
  expect(limits.accepted('settlements')).toBe(100)
})

test('a page of fifty records is requested again in the same size, however slow it was', () => {
  const page = new PageLimits().begin('settlements', 50)
  page.slow()
  expect([page.limit, page.hint]).toEqual([50, ''])
})
