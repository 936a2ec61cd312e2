import { Hono } from 'hono'
import { beforeEach, expect, test } from 'vitest'
import { addExceptions } from '../../../web/pages/exceptions.tsx'
import { addPeriods } from '../../../web/pages/periods.tsx'
import { addRuns } from '../../../web/pages/runs.tsx'
import { addTransactions } from '../../../web/pages/transactions.tsx'
import type { Console } from '../../../web/parts/console.tsx'
import type { Env } from '../../../web/parts/guard.ts'
import { ONLY } from '../../../web/parts/link.tsx'

const MONTH_NOT_OVER = { name: 'month not over', isBlocker: true, number: 1, amount: null }

let started: (readonly string[])[]
/** True if the started commands have ended. */
let ended: boolean
/** The act that someone added after the page was shown. */
let meanwhile: object | undefined

beforeEach(() => {
  started = []
  ended = false
  meanwhile = undefined
})

/** A console of a lake without decisions, which notes the commands that it would start. */
function appOf(): Hono<Env> {
  const console = {
    settings: { account: 'acme', timezone: 'UTC' },
    branch: ONLY,
    reader: {
      check: () => Promise.resolve(),
      row: () => Promise.resolve(meanwhile),
      query: () => Promise.resolve([MONTH_NOT_OVER]),
    },
    commands: {
      get all() {
        return started.map((args) => ({ args, code: ended ? 0 : undefined }))
      },
      start: (args: readonly string[]) => started.push(args),
    },
    decide: () =>
      Promise.resolve({ seq: '1', actor: 'Ann', actedAt: '2026-11-20T08:00:00Z', wasSo: false }),
    inTurn: (work: () => Promise<unknown>) => work(),
  } as unknown as Console
  const app = new Hono<Env>()
  app.use(async (context, next) => {
    context.set('person', { name: 'Ann', role: 'reviewer', formToken: '' })
    await next()
  })
  for (const add of [addExceptions, addPeriods, addRuns, addTransactions]) add(app, console)
  return app
}

const post = (path: string, fields: Record<string, string>) =>
  appOf().request(path, { method: 'POST', body: new URLSearchParams({ seen: '0', ...fields }) })

test.each([
  ['late records', ['--reason', 'late records']],
  ['--json', ['--reason=--json']],
  ['--config=/etc/other.yaml', ['--reason=--config=/etc/other.yaml']],
])('the reason %s of a backfill is no flag of its command', async (reason, flags) => {
  const dates = { from: '2026-11-01', to: '2026-11-02' }
  expect((await post('/runs', { what: 'backfill', ...dates, reason })).status).toBe(303)
  expect(started).toEqual([['backfill', '--from', dates.from, '--to', dates.to, ...flags]])
})

test.each([
  [
    '/periods/2026-10',
    { reason: '--json', acceptOpen: '-1', blockers: 'the month is not over' },
    '--reason=--json --accept-open=-1',
  ],
  ['/attribute', { transactionId: '7', settlement: 'none', reason: '--json' }, '--reason=--json'],
  ['/exceptions/decide', { verb: 'assign', exceptionId: 'a1', to: '--json' }, '--to=--json'],
])('the command that %s shows takes a text for a text', async (path, fields, shown) => {
  expect(await (await post(path, fields)).text()).toContain(shown)
})

test.each([
  [
    { verb: 'waive', until: '2099-12-31', clearTo: 'refunds' },
    '“Resolve by clearing to this account” belongs to resolve',
  ],
  [
    { verb: 'resolve', date: '2026-11-30' },
    '“Posting date of the clearing” is the posting date of a clearing',
  ],
  [{ verb: 'reopen', to: 'Cleo' }, '“Assign to” belongs to assign'],
])(
  'a field of the decision form that would have no effect is refused: %o',
  async (fields, said) => {
    const answer = await post('/exceptions/decide', {
      exceptionId: 'a1',
      reason: 'agreed',
      ...fields,
    })
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain(said)
  },
)

test('a person accepts the blockers that the page showed, and no others', async () => {
  const close = { kind: 'close', reason: 'done', acceptOpen: 'known', blockers: '1 unexplained' }
  const answer = await post('/periods/2026-10', close)
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('the blockers of 2026-10 are not those of the page')
})

test('the page of a period that was closed or reopened meanwhile closes and reopens nothing', async () => {
  meanwhile = { subject: '2026-10', actor: 'Ben', action: 'period.close' }
  for (const kind of ['close', 'reopen']) {
    const answer = await post('/periods/2026-10', { kind, reason: 'done' })
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('Ben decided about 2026-10 meanwhile (period.close)')
  }
})

test('a refusal on a page leads back to the page, and not to the help of a command', async () => {
  const answer = await post('/exceptions/decide', { verb: 'resolve', reason: 'agreed' })
  expect(answer.status).toBe(409)
  const text = await answer.text()
  expect(text).toContain('choose at least one exception')
  expect(text).toContain('Next: go back, and correct what the page asked for')
})

test.each([
  ['/exceptions?assignee=Cleo+Kay&sort=-age', '/exceptions?assignee=Cleo+Kay&amp;sort=-age'],
  ['//evil.example', '/'],
  ['https://evil.example', '/'],
])('after a decision the way back from %s is %s', async (back, href) => {
  const fields = { verb: 'assign', exceptionId: 'a1', to: 'Cleo Kay', back }
  expect(await (await post('/exceptions/decide', fields)).text()).toContain(
    `<a href="${href}">Back</a>`,
  )
})

test('a form that is sent twice starts one command, and another once that has ended', async () => {
  expect((await post('/runs', { what: 'reconcile' })).status).toBe(303)
  const again = await post('/runs', { what: 'reconcile' })
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining('this command is running already'),
  ])
  expect(started).toEqual([['reconcile']])
  ended = true
  expect((await post('/runs', { what: 'reconcile' })).status).toBe(303)
})
