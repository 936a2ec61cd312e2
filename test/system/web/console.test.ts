/**
 * Goal: people can look and decide in a browser as safely as with commands. Method: the console as a user starts it,
 * used by a controller, an engineer and a reviewer in Chromium, and attacked with forged requests.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import {
  newPlace,
  type Place,
  simulate,
  startTieout,
  tieout,
  type Started,
} from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { startConsole } from '../../support/console.ts'
import { needs, requireProgram } from '../../support/outside-program.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '2', '--transactions', '600', '--from', '2026-09-10', '--days', '55']
const RUN = ['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW, '--json']
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser | undefined
let place: Place
let night: RunResult
let ann: Console

interface Console {
  url: URL
  started: Started
  context: BrowserContext | undefined
}

beforeAll(async () => {
  const service = await simulate([...WORLD, '--now', NOW, '--latency-ms', '20'], newPlace())
  place = newPlace({ ...service, TIEOUT_TIMEZONE: 'America/New_York' })
  writeFileSync(join(place.cwd, 'tieout.yaml'), 'accounting: { programs: [xero] }\n')
  const ran = await tieout(RUN, as('Ann'))
  expect(ran.code, ran.stderr).toBe(0)
  night = JSON.parse(ran.stdout) as RunResult
  if (needs('chromium')) {
    const options = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }
    browser = await chromium.launch(options)
  }
  ann = await openAs('Ann')
})

afterAll(async () => {
  await browser?.close()
})

const as = (actor: string): Place => ({ ...place, env: { ...place.env, TIEOUT_ACTOR: actor } })

/** Starts the console of a person; with a browser, the session begins in it. */
async function openAs(actor: string, javaScriptEnabled = true): Promise<Console> {
  const { started, url } = await startConsole(as(actor))
  // Axe is a script of its own, which the policy of the pages would refuse.
  const context = await browser?.newContext({
    viewport: { width: 1280, height: 900 },
    bypassCSP: true,
    javaScriptEnabled,
  })
  if (context !== undefined) await (await context.newPage()).goto(url.href)
  return { url, started, context }
}

async function pageAt({ url, context }: Console, path: string): Promise<Page> {
  if (context === undefined) throw new Error('there is no browser')
  const page = await context.newPage()
  await page.goto(new URL(path, url.origin).href)
  return page
}

/** The first link of a page whose address matches. */
const linkOn = (page: Page, pattern: string) =>
  page
    .locator('a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    .then((addresses) => addresses.find((href) => new RegExp(pattern).test(href)) ?? '')

const LISTS = [
  ...['/', '/settlements', '/transactions', '/exceptions', '/terminals', '/refunds'],
  ...['/packs', '/periods', '/runs', '/runs/now'],
]

test('no page has a fault of accessibility, a message of the browser, or anything beside the screen', async (context) => {
  requireProgram(context, 'chromium')
  const page = await pageAt(ann, '/')
  const paths = [...LISTS]
  for (const [list = '', pattern = ''] of [
    ['/settlements?verdict=BREAK', String.raw`^/settlements/\d`],
    ['/exceptions', '^/exceptions/[0-9a-f]{8}'],
    ['/terminals', String.raw`^/terminals/\d`],
    ['/refunds', String.raw`^/refunds/\d`],
    ['/packs', String.raw`^/packs/\d`],
    ['/periods', String.raw`^/periods/\d`],
  ]) {
    await page.goto(new URL(list, ann.url.origin).href)
    const found = await linkOn(page, pattern)
    expect(found, list).not.toBe('')
    paths.push(found)
  }
  const wrong: string[] = []
  page.on('console', (message) => wrong.push(`${page.url()}: ${message.text()}`))
  for (const path of paths) {
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: width === 1280 ? 'light' : 'dark' })
      const answer = await page.goto(new URL(path, ann.url.origin).href)
      if (answer?.status() !== 200) wrong.push(`${path} answers ${answer?.status()}`)
      const beyond = await page.evaluate<number>(
        'document.documentElement.scrollWidth - innerWidth',
      )
      if (beyond > 0) wrong.push(`${path} is ${beyond} pixels wider than ${width}`)
      if (width === 320) continue
      await page.evaluate(AXE)
      wrong.push(...(await violations(page)).map((what) => `${path} at ${width}: ${what}`))
    }
  }
  expect(wrong).toEqual([])
})

test('the page of a BREAK says the cause and the next step in words', async (context) => {
  requireProgram(context, 'chromium')
  const page = await pageAt(ann, '/settlements?verdict=BREAK')
  await page.goto(new URL(await linkOn(page, String.raw`^/settlements/\d`), ann.url.origin).href)
  expect(await page.locator('main').textContent()).toContain(
    'No set of up to four transactions accounts for the difference. Ask the processor for the transactions of the settlement.',
  )
})

test('the first page leads to the page on which a person decides about an item', async (context) => {
  requireProgram(context, 'chromium')
  const page = await pageAt(ann, '/')
  await page.locator('td[data-title="Next step"] a').first().click()
  expect(await page.textContent('h1')).toMatch(/^Exception [0-9a-f]{16}$/)
  expect(await page.locator('form.act button').count()).toBe(1)
})

test('a keyboard decides about an exception without a way through all rows', async (context) => {
  requireProgram(context, 'chromium')
  const page = await pageAt(ann, '/exceptions?code=TOTAL_MISMATCH,AMOUNT_OVER_LIMIT')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate<string>('document.activeElement.name ?? ""')
  const tabTo = async (name: string, most: number) => {
    for (let stops = 0; stops < most; stops += 1) {
      await page.keyboard.press('Tab')
      if ((await focused()) === name) return
    }
    throw new Error(`${name} is more than ${most} keys away`)
  }
  await tabTo('verb', 12)
  await tabTo('to', 1)
  await page.keyboard.type('Dora')
  // The date has a stop for month, day and year.
  await tabTo('exceptionId', 20)
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1:text("Done")', { timeout: 60_000 })
  expect(await page.textContent('.command')).toContain('--to Dora')
})

test('the queue prints without its forms, and the first key leads past the menu', async (context) => {
  requireProgram(context, 'chromium')
  const page = await pageAt(ann, '/exceptions')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).hash, { timeout: 60_000 }).toBe('#content')
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('table').isVisible()).toBe(true)
  expect(await page.locator('button:visible').count()).toBe(0)
})

const violations = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const found = await axe.run()
    return found.violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 200)}`)
  })

test("a controller clears the morning's exceptions", async (context) => {
  requireProgram(context, 'chromium')
  const page = await pageAt(ann, '/exceptions?code=AMOUNT_MISMATCH')
  const boxes = page.locator('input[name="exceptionId"]')
  const ids = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('value') ?? ''))
  expect(ids.length).toBeGreaterThan(1)
  await page.getByLabel('All rows of this page').check()
  expect(await page.locator('input[name="exceptionId"]:checked').count()).toBe(ids.length)
  await page.selectOption('select[name="verb"]', 'assign')
  await page.fill('input[name="to"]', 'Cleo <b>x</b>')
  await page.click('text=Decide >> nth=-1')
  expect(await page.textContent('.message')).toContain('of the audit trail, by Ann')
  expect(await page.textContent('.command')).toContain(`exceptions assign ${ids[0]}`)

  await page.goto(new URL(`/exceptions/${ids[0]}`, ann.url.origin).href)
  expect(await page.content()).toContain('Cleo &lt;b&gt;x&lt;/b&gt;')
  // The other tab was loaded before this decision.
  const tab = await pageAt(ann, `/exceptions/${ids[0]}`)
  await decide(page, { verb: 'waive', until: '2029-12-31', reason: 'agreed' })
  expect(await page.textContent('h1')).toBe('Done')
  // The browser sends the form again.
  await page.reload()
  expect(await page.textContent('h1')).toBe('Decided already')
  await decide(tab, { verb: 'resolve', reason: 'settled by phone' })
  expect(await tab.textContent('.message')).toContain(`Ann decided about ${ids[0]} meanwhile`)

  const listed = await tieoutHere(['exceptions', 'list', '--state', 'all', '--json'], as('Ann'))
  const states = JSON.parse(listed.stdout) as {
    exceptionId: string
    state: string
    assignee: string | null
  }[]
  const stateOf = (id: string) => states.find(({ exceptionId }) => exceptionId === id)
  expect(stateOf(ids[0] ?? '')?.state).toBe('WAIVED')
  expect(stateOf(ids[1] ?? '')).toMatchObject({ state: 'ASSIGNED', assignee: 'Cleo <b>x</b>' })
})

async function decide(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`form.act [name="${name}"]`)
    if (name === 'verb') await field.selectOption(value)
    else await field.fill(value)
  }
  await page.locator('form.act button').click()
}

test('a reviewer refuses, then approves a pack that another person prepared, and closes the month', async (context) => {
  requireProgram(context, 'chromium')
  const own = await pageAt(ann, `/packs/${night.runId}`)
  await own.check('input[name="yes"]')
  await own.click('text=Approve >> nth=-1')
  expect(await own.textContent('.message')).toContain('Ann')
  expect(await own.textContent('h1')).toBe('Not done')

  // Every page and form works without scripts.
  const ben = await openAs('Ben', false)
  const page = await pageAt(ben, `/packs/${night.runId}`)
  await page.click('form.act button')
  // Decisions were made after the pack, so that the first try asks for a confirmation.
  expect(await page.textContent('h1')).toBe('Not done')
  await page.goto(new URL(`/packs/${night.runId}`, ben.url.origin).href)
  await page.fill('form[action$="/refuse"] input[name="reason"]', 'the tips <b>are</b> missing')
  await page.click('form[action$="/refuse"] button')
  expect(await page.textContent('.command')).toContain('--refuse')
  await page.goto(new URL(`/packs/${night.runId}`, ben.url.origin).href)
  expect(await page.textContent('.message.bad')).toContain('the tips <b>are</b> missing')
  await page.goto(new URL('/packs', ben.url.origin).href)
  expect(await page.textContent('table')).toContain('refused by Ben')
  await page.goto(new URL(`/packs/${night.runId}`, ben.url.origin).href)
  await page.check('input[name="yes"]')
  await page.click('form.act button')
  expect(await page.textContent('.message')).toContain('by Ben')
  await page.goto(new URL(`/packs/${night.runId}`, ben.url.origin).href)
  expect(await page.textContent('.facts')).toContain('Ben')
  const verified = await tieoutHere(['verify', night.pack], as('Ben'))
  expect(verified.stdout).toContain('approved by Ben')

  await page.goto(new URL('/periods/2026-10', ben.url.origin).href)
  await page.fill('input[name="reason"]', 'October is done')
  await page.click('form.act button')
  expect(await page.textContent('h1')).toBe('Not done')
  await page.goto(new URL('/periods/2026-10', ben.url.origin).href)
  await page.fill('input[name="reason"]', 'October is done')
  await page.fill('input[name="acceptOpen"]', 'the breaks are being chased')
  await page.click('form.act button')
  expect(await page.textContent('h1')).toBe('Done')
  ben.started.kill('SIGINT')
  expect((await ben.started.ended).code).toBe(130)
})

test('when the running work renews itself, a closed command stays closed and the keyboard stays on it', async (context) => {
  requireProgram(context, 'chromium')
  const page = await pageAt(ann, '/runs')
  await page.selectOption('select[name="what"]', 'pause')
  await page.click('form.act button')
  await page.goto(new URL('/runs', ann.url.origin).href)
  const summary = page.locator('#now summary', { hasText: 'ended with exit code 6' }).first()
  await summary.focus()
  await page.keyboard.press('Enter')
  await page.waitForResponse('**/runs/now', { timeout: 60_000 })
  // The answer after that one stands on the page only once this one has been put there.
  await page.waitForResponse('**/runs/now', { timeout: 60_000 })
  expect(await page.locator('#now details').first().getAttribute('open')).toBeNull()
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY')
})

test('an engineer watches a backfill and slows it', async (context) => {
  requireProgram(context, 'chromium')
  const worker = startTieout(['worker'], as('Ann'))
  await worker.says('worker ready')
  const page = await pageAt(ann, '/runs')
  const order = async (fields: Record<string, string>) => {
    await page.goto(new URL('/runs', ann.url.origin).href)
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`form.act [name="${name}"]`)
      if (name === 'what') await field.selectOption(value)
      else await field.fill(value)
    }
    await page.locator('form.act button').click()
  }
  const dates = { from: '2026-10-05', to: '2026-10-20' }
  await order({ what: 'backfill', ...dates, reason: 'late records' })
  await page.goto(new URL('/runs', ann.url.origin).href)
  await page.waitForSelector('#now li b:text("backfill/")', { timeout: 60_000 })
  await order({ what: 'slow', rate: '50' })
  await page.goto(new URL('/runs', ann.url.origin).href)
  await page.waitForSelector('summary:has-text("backfill slow 50: ended with exit code 0")', {
    timeout: 60_000,
  })
  await page.waitForSelector(
    `summary:has-text("backfill --from ${dates.from}"):has-text("exit code 0")`,
    {
      timeout: 240_000,
    },
  )
  worker.kill('SIGTERM')
  expect((await worker.ended).code).toBe(143)
})

describe('requests that no page of the console makes', () => {
  const at = (path: string, more: RequestInit = {}) =>
    fetch(new URL(path, ann.url.origin), { redirect: 'manual', ...more })
  const cookie = async () => {
    const [first] = (await ann.context?.cookies()) ?? []
    return `${first?.name}=${first?.value}`
  }

  test('without a session nothing is shown, and a token works once', async () => {
    for (const path of LISTS) expect((await at(path)).status, path).toBe(403)
    const again = await at(`/${ann.url.search}`)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null])
    expect((await at('/', { headers: { cookie: 'tieout_session=guessed' } })).status).toBe(403)
  })

  test('another name for the address is refused', async () => {
    const { request } = await import('node:http')
    const status = await new Promise((resolve) => {
      const headers = { host: `evil.example:${ann.url.port}` }
      request({ host: '127.0.0.1', port: ann.url.port, path: '/', headers }, (answer) =>
        resolve(answer.statusCode),
      ).end()
    })
    expect(status).toBe(403)
  })

  test('a form of another page is refused, with and without the token of the form', async (context) => {
    requireProgram(context, 'chromium')
    const page = await pageAt(ann, '/periods/2026-10')
    const token = await page.locator('input[name="_token"]').getAttribute('value')
    const body = new URLSearchParams({ kind: 'reopen', reason: 'forged', _token: token ?? '' })
    const post = async (headers: Record<string, string>, form = body) =>
      (
        await at('/periods/2026-10', {
          method: 'POST',
          body: form,
          headers: { ...headers, cookie: await cookie() },
        })
      ).status
    const { origin } = ann.url
    expect(await post({ origin: 'http://evil.example' })).toBe(403)
    expect(await post({ origin: 'null' })).toBe(403)
    expect(await post({})).toBe(403)
    expect(await post({ origin }, new URLSearchParams({ kind: 'reopen', reason: 'forged' }))).toBe(
      403,
    )
    const periods = await tieoutHere(['periods', 'list', '--json'], as('Ann'))
    expect(JSON.parse(periods.stdout)).toMatchObject([{ state: 'closed' }])
  })

  test('every answer forbids foreign scripts and frames, and is not stored', async () => {
    const { headers } = await at('/')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('an address leads out of no pack, and no text of it becomes SQL', async (context) => {
    requireProgram(context, 'chromium')
    const headers = { cookie: await cookie() }
    for (const path of [
      `/packs/${night.runId}/files/..%2f..%2f..%2ftieout.yaml`,
      `/packs/${night.runId}/files/approval.json`,
      '/packs/..%2f..%2fdata/files/hash.key',
    ]) {
      expect((await at(path, { headers })).status, path).toBe(404)
    }
    const injected = encodeURIComponent("x' or 1=1 --")
    for (const [path, status] of [
      [`/settlements?verdict=${injected}`, 400],
      [`/settlements?sort=${injected}`, 200],
      [`/settlements?after=${injected}`, 200],
      [`/transactions?invoice=${injected}`, 200],
      [`/exceptions?assignee=${injected}`, 200],
    ] as const) {
      const answer = await at(path, { headers })
      expect(answer.status, path).toBe(status)
      expect(await answer.text(), path).not.toContain("x' or 1=1 --<")
    }
  })
})
