/** Takes the pictures of the console for docs/pictures from the demo's lake: `npm run demo` makes it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'

const FOLDER = join('docs', 'pictures')
const CONFIG = join('data', 'demo', 'tieout.yaml')

/** Name of the picture, and the address of the page. */
const PAGES = {
  today: '/',
  settlements: '/settlements',
  transactions: '/transactions',
  exceptions: '/exceptions',
  terminals: '/terminals',
  refunds: '/refunds',
  packs: '/packs',
  periods: '/periods',
  runs: '/runs',
}

/** Name of the picture, a list, and a link on it. */
const LINKED = [
  ['settlement', '/settlements?verdict=EXPLAINED', 'a[href^="/settlements/"]'],
  ['exception', '/exceptions', 'a[href^="/exceptions/"]'],
  ['terminal', '/terminals', 'a[href^="/terminals/"]'],
  ['refund', '/refunds', 'a[href^="/refunds/"]'],
  ['pack', '/packs', 'a[href^="/packs/2"]'],
  ['period', '/periods', 'a[href^="/periods/"]'],
] as const

export async function main(): Promise<number> {
  mkdirSync(FOLDER, { recursive: true })
  const options = ['--config', CONFIG, 'open', '--no-browser']
  const command = spawn(process.execPath, [join('bin', 'tieout.mjs'), ...options], {
    env: { ...process.env, TIEOUT_ACTOR: 'Ben Ode' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const address = await addressOf(command)
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } })
    await page.goto(address.href)
    await takeAll(page, address.origin)
  } finally {
    await browser.close()
    command.kill('SIGINT')
    if (command.exitCode === null) await once(command, 'exit')
  }
  return 0
}

async function addressOf({ stdout }: ChildProcess): Promise<URL> {
  if (stdout === null) throw new Error('the command has no output')
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^console ready: (\S+)$/.exec(line) ?? []
    if (url !== undefined) return new URL(url)
  }
  throw new Error('the console did not start')
}

async function takeAll(page: Page, origin: string): Promise<void> {
  const take = async (name: string) => {
    // The list of running work arrives after the page.
    await page.waitForTimeout(2500)
    await page.screenshot({ path: join(FOLDER, `console-${name}.png`) })
  }
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(origin + path)
    await take(name)
  }
  for (const [name, list, link] of LINKED) {
    await page.goto(origin + list)
    await page.locator(link).first().click()
    await take(name)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${origin}/exceptions`)
  await take('narrow')
}
