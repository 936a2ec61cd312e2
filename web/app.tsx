/** The routes of the console. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { typed } from '../cli/shell/typed-command.ts'
import { STYLE } from '../reports/page/style.ts'
import { addAccounts } from './pages/accounts.tsx'
import { addExceptions } from './pages/exceptions.tsx'
import { addPacks } from './pages/packs.tsx'
import { addPeriods } from './pages/periods.tsx'
import { addRefunds } from './pages/refunds.tsx'
import { addRuns } from './pages/runs.tsx'
import { addSettlement } from './pages/settlement.tsx'
import { ofOtherRange, SETTLEMENT_COLUMNS, SETTLEMENTS } from './pages/settlements.tsx'
import { addTerminals } from './pages/terminals.tsx'
import { Today, today } from './pages/today.tsx'
import { addTransactions } from './pages/transactions.tsx'
import { addList, type App, type Console, errorPage, failureIn, pageOf } from './parts/console.tsx'
import { type Env, guard, type Guarding } from './parts/guard.ts'
import type { Settings } from '../domain/settings.ts'
import { inFields } from './parts/labels.ts'
import { ONLY } from './parts/link.tsx'

const ASSETS = join(import.meta.dirname, 'assets')
const FILES: Readonly<Record<string, string>> = {
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'htmx.min.js': 'text/javascript; charset=utf-8',
}

/** The parts that all accounts share, and the console of each account. */
export interface Whole {
  guarding: Guarding
  consoles: readonly [Console, ...Console[]]
  /** Accounts whose settings have a fault: no page can be shown. */
  troubled: readonly Settings[]
  say(line: string): void
}

/**
 * One account has its pages at the root. Several have theirs below `/accounts/<account>`, and the root lists them.
 */
export function createApp(whole: Whole): App {
  const { consoles, guarding } = whole
  const app: App = new Hono<Env>()
  app.use(guard(guarding))
  app.get('/favicon.ico', (context) => context.body(null, 204))
  app.get('/assets/page.css', (context) =>
    context.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  )
  for (const [name, type] of Object.entries(FILES)) {
    const text = readFileSync(join(ASSETS, name), 'utf8')
    app.get(`/assets/${name}`, (context) => context.body(text, 200, { 'Content-Type': type }))
  }
  const [first] = consoles
  app.onError((error, context) => answerTo(error, context, consoleAt(context, consoles)))
  app.use(async (_, next) => {
    await first.reader.check()
    await next()
  })
  if (first.branch.base === '') addPages(app, first)
  else {
    addAccounts(app, whole)
    for (const console of consoles) {
      const pages: App = new Hono<Env>()
      addPages(pages, console)
      app.route(console.branch.base, pages)
    }
  }
  app.notFound((context) => {
    const message = 'This page does not exist.'
    return errorPage(context, consoleAt(context, consoles), { status: 404, message })
  })
  return app
}

/** The console whose pages an address belongs to. Beside the pages of accounts, a console without an account. */
function consoleAt({ req }: Context<Env>, consoles: Whole['consoles']): Console {
  const [first] = consoles
  if (first.branch.base === '') return first
  const at = consoles.find(({ branch: { base } }) => `${req.path}/`.startsWith(`${base}/`))
  return at ?? { ...first, branch: ONLY, settings: { ...first.settings, account: '' } }
}

/** Adds all pages of one account. */
function addPages(app: App, console: Console): void {
  app.get('/', async (context) => {
    const data = await today(console.reader, console.settings)
    return context.html(<Today {...pageOf(context, console)} title="Today" data={data} />)
  })
  addList(app, console, {
    ...{ title: 'Settlements', caption: 'Settlements of the newest run' },
    ...{ spec: SETTLEMENTS, columns: SETTLEMENT_COLUMNS, remark: ofOtherRange },
  })
  for (const add of [
    ...[addSettlement, addTransactions, addExceptions, addTerminals, addRefunds],
    ...[addPacks, addPeriods, addRuns],
  ]) {
    add(app, console)
  }
}

/** The page of a failure or of a bug. */
function answerTo(error: Error, context: Context<Env>, console: Console) {
  const failure = failureIn(error)
  if (failure !== undefined) {
    if (failure.code === 'usage') {
      return errorPage(context, console, { status: 400, ...inFields(failure) })
    }
    const { message, remedy } = failure
    return errorPage(context, console, { status: 503, message, remedy: typed(remedy) })
  }
  console.say(`bug in ${context.req.path}: ${error.stack ?? error.message}`)
  // The text of a bug may hold data.
  const message = 'A bug: this page could not be made.'
  return errorPage(context, console, { status: 503, message })
}
