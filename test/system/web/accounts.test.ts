/**
 * Goal: one console serves all accounts of a config file, and no page, decision or command of one account reaches
 * another. Method: `tieout open` over two accounts whose services differ, and requests to the pages of each.
 */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { newPlace, type Place, simulate, startTieout, tieout } from '../../support/built.ts'
import { type Console, openConsole, visitFrom } from '../../support/console.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '45']
const RANGE = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]

let place: Place
let console: Console

beforeAll(async () => {
  const [one, other] = await Promise.all(
    ['1', '2'].map((seed) => simulate([...WORLD, '--seed', seed, '--now', NOW], newPlace())),
  )
  place = newPlace({
    TIEOUT_API_USER: one?.['TIEOUT_API_USER'] ?? '',
    TIEOUT_APPLICATION_KEY: one?.['TIEOUT_APPLICATION_KEY'] ?? '',
    TIEOUT_HASH_KEY: one?.['TIEOUT_HASH_KEY'] ?? 'a key of this test, long enough for everyone',
    TIEOUT_ACTOR: 'Ann',
    TIEOUT_TIMEZONE: 'America/New_York',
    TIEOUT_METRICS: 'off',
    ONE: one?.['TIEOUT_API_PASSWORD'] ?? '',
    OTHER: other?.['TIEOUT_API_PASSWORD'] ?? '',
  })
  writeFileSync(
    join(place.cwd, 'tieout.yaml'),
    `accounts:
  - { name: acme, base_url: "${one?.['TIEOUT_BASE_URL']}", credentials: { password: ONE } }
  - { name: bolt, base_url: "${other?.['TIEOUT_BASE_URL']}", credentials: { password: OTHER } }
`,
  )
  const ran = await tieout(['run', ...RANGE], place)
  expect(ran.code, ran.stderr).toBe(0)
  console = await openConsole(place)
})

interface Listed {
  exceptionId: string
  state: string
}

async function exceptionsOf(account: string): Promise<Listed[]> {
  const args = ['exceptions', 'list', '--account', account, '--state', 'all', '--json']
  return JSON.parse((await tieout(args, place)).stdout) as Listed[]
}

test('the first page lists the accounts, and each leads to pages with its own items alone', async () => {
  const first = await console.get('/')
  expect(first.status).toBe(200)
  for (const name of ['acme', 'bolt']) expect(first.text).toContain(`href="/accounts/${name}"`)
  const [acme, bolt] = await Promise.all(['acme', 'bolt'].map(exceptionsOf))
  const ids = (listed: Listed[] = []) => listed.map(({ exceptionId }) => exceptionId)
  expect(ids(acme).length).toBeGreaterThan(0)
  expect(ids(bolt).length).toBeGreaterThan(0)
  for (const [name, own, foreign] of [
    ['acme', acme, bolt],
    ['bolt', bolt, acme],
  ] as const) {
    const { text } = await console.get(`/accounts/${name}/exceptions?state=all`)
    for (const id of ids(own)) expect(text).toContain(id)
    for (const id of ids(foreign)) expect(text).not.toContain(id)
    expect(text).toMatch(/exceptions as of \S+Z, gross difference \S+ USD, other amounts \S+ USD\./)
  }
})

test('a filter that can not be read is named as a field, and not as a flag of a command', async () => {
  const { status, text } = await console.get('/accounts/acme/exceptions?least=1,000')
  expect(status).toBe(400)
  expect(text).toContain('“Amount of at least” 1,000 is not an amount such as 100.00')
  expect(text).not.toContain('--least-amount')
})

test('the first page shows the open differences and the other amounts of each account apart, as its own page does', async () => {
  const cell = (text: string, title: string, at = 0) =>
    [...text.matchAll(new RegExp(`data-title="${title}">(.*?)</td>`, 'g'))][at]?.[1]
  const first = (await console.get('/')).text
  for (const [at, name] of ['acme', 'bolt'].entries()) {
    const own = (await console.get(`/accounts/${name}`)).text
    const [, all = ''] = own.split('data-title="Part">All<')
    for (const title of ['Differences, gross', 'Other amounts']) {
      expect(cell(all, title)).toMatch(/[1-9]/)
      expect(cell(first, title, at), `${title} of ${name}`).toBe(cell(all, title))
    }
    expect(cell(first, 'Currency', at)).toBe('USD')
  }
})

test('a refund stands with both totals of charges from which its excess may be computed', async () => {
  const [headings = '', ...lines] = (await console.get('/accounts/acme/refunds.csv')).text
    .trim()
    .split(/\r?\n/)
  expect(headings).toContain('chargedFine,chargedCoarse')
  const rows = lines.map((line) => {
    const cells = line.split(',')
    return (name: string) => Number(cells[headings.split(',').indexOf(name)])
  })
  const wrong = rows.filter((of) => {
    const refunded = [of('refundAmount'), of('refundAmount') + of('refundedBefore')]
    const excesses = refunded.flatMap((one) => [one - of('chargedFine'), one - of('chargedCoarse')])
    return !excesses.some((excess) => Math.abs(excess - of('overBy')) < 0.005)
  })
  expect(wrong).toEqual([])
  expect(rows.length).toBeGreaterThan(0)
})

test('every link and form of an account stays in it', async () => {
  const visited = await visitFrom(console, '/accounts/acme', 50)
  const own = (address: string) => /^\/accounts\/acme(\/|\?|$)/.test(address)
  const wrong = visited
    .filter(({ path }) => own(path))
    .flatMap(({ path, status, leads }) => [
      ...(status === 200 ? [] : [`${path} answers ${status}`]),
      ...leads
        .filter((lead) => !own(lead) && !/^\/(assets\/.*)?$/.test(lead))
        .map((lead) => `${path} leads to ${lead}`),
    ])
  expect(wrong).toEqual([])
  expect(visited.length).toBe(50)
})

test('a decision is made for the account of its page, and the command line names it', async () => {
  const [before = { exceptionId: '' }] = (await exceptionsOf('bolt')).filter(
    ({ state }) => state === 'OPEN',
  )
  const id = before.exceptionId
  const fields = { verb: 'waive', until: '2029-12-31', reason: 'agreed', exceptionId: id }
  const path = (account: string) => `/accounts/${account}/exceptions`
  const done = await console.post(`${path('bolt')}/${id}`, `${path('bolt')}/decide`, fields)
  expect([done.status, done.text]).toEqual([
    200,
    expect.stringContaining(`tieout --account bolt exceptions waive ${id}`),
  ])
  const after = await exceptionsOf('bolt')
  expect(after.find(({ exceptionId }) => exceptionId === id)?.state).toBe('WAIVED')
  const note = '1 decision was made after the pack'
  expect((await console.get('/accounts/bolt')).text).toContain(note)
  expect((await console.get('/accounts/acme')).text).not.toContain('made after the pack')
  const foreign = await console.post(path('acme'), `${path('acme')}/decide`, fields)
  expect(foreign.status).toBe(409)
})

test('a request for the head of a file of a pack leaves no file open', async () => {
  const { text } = await console.get('/accounts/acme/packs')
  const page = /href="(\/accounts\/acme\/packs\/\d[^"]+)"/.exec(text)?.[1] ?? ''
  // This file is longer than the part that is read before anyone asks for it.
  const file = new URL(`${page}/files/summary.html`, console.url.origin)
  const { cookie } = console
  for (let count = 0; count < 3; count += 1) {
    const { status } = await fetch(file, { method: 'HEAD', headers: { cookie } })
    expect(status).toBe(200)
  }
  const left = () => openFiles().filter((path) => path.endsWith('/summary.html'))
  await expect.poll(left, { timeout: 60_000 }).toEqual([])
  expect((await console.get(file.pathname)).text).toContain('</html>')
})

/** The files that the process of the console has open. */
function openFiles(): string[] {
  const folder = `/proc/${console.started.pid}/fd`
  return readdirSync(folder).flatMap((descriptor) => {
    try {
      return [readlinkSync(join(folder, descriptor))]
    } catch {
      // The file was closed meanwhile.
      return []
    }
  })
}

test('a page that no account has is not found', async () => {
  // Ids and months that no record can have belong to these, too.
  const ofAcme = [
    ...['nothing', 'terminals/9999999999999999999', 'refunds/9999999999999999999'],
    ...['periods/9999-12', 'periods/0001-01'],
  ].map((page) => `/accounts/acme/${page}`)
  for (const path of ['/exceptions', '/accounts/cole', ...ofAcme]) {
    expect((await console.get(path)).status, path).toBe(404)
  }
})

test('a worker of all accounts serves them all', async () => {
  const worker = startTieout(['worker', '--web', '127.0.0.1:0'], place)
  expect(await worker.says('console of 2 accounts: ')).toContain('http://127.0.0.1:')
  worker.kill('SIGTERM')
  expect((await worker.ended).code).toBe(143)
})
