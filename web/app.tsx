/** The routes of the console. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { packageRoot } from '../lake/connection/package-root.ts'
import { STYLE } from '../reports/page/style.ts'
import { addExceptions } from './pages/exceptions.tsx'
import { addPacks } from './pages/packs.tsx'
import { addPeriods } from './pages/periods.tsx'
import { addRefunds } from './pages/refunds.tsx'
import { addRuns } from './pages/runs.tsx'
import { addSettlement } from './pages/settlement.tsx'
import { SETTLEMENT_COLUMNS, SETTLEMENTS } from './pages/settlements.tsx'
import { addTerminals } from './pages/terminals.tsx'
import { Today, today } from './pages/today.tsx'
import { addTransactions } from './pages/transactions.tsx'
import { addList, type App, type Console, errorPage, failureIn, pageOf } from './parts/console.tsx'
import { type Env, guard } from './parts/guard.ts'

const ASSETS = join(packageRoot, 'web', 'assets')
const FILES: Readonly<Record<string, string>> = {
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'htmx.min.js': 'text/javascript; charset=utf-8',
}

export function createApp(console: Console): App {
  const app: App = new Hono<Env>()
  app.use(guard(console.guarding))
  app.get('/favicon.ico', (context) => context.body(null, 204))
  app.get('/assets/page.css', (context) =>
    context.body(STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  )
  for (const [name, type] of Object.entries(FILES)) {
    const text = readFileSync(join(ASSETS, name), 'utf8')
    app.get(`/assets/${name}`, (context) => context.body(text, 200, { 'Content-Type': type }))
  }
  app.use(async (_, next) => {
    await console.reader.check()
    await next()
  })
  app.get('/', async (context) => {
    const data = await today(console.reader, console.settings)
    return context.html(<Today {...pageOf(context, console)} title="Today" data={data} />)
  })
  addList(app, console, {
    ...{ title: 'Settlements', caption: 'Settlements of the newest run' },
    ...{ spec: SETTLEMENTS, columns: SETTLEMENT_COLUMNS },
  })
  for (const add of [
    ...[addSettlement, addTransactions, addExceptions, addTerminals, addRefunds],
    ...[addPacks, addPeriods, addRuns],
  ]) {
    add(app, console)
  }
  app.notFound((context) =>
    errorPage(context, console, { status: 404, message: 'This page does not exist.' }),
  )
  app.onError((error, context) => {
    const failure = failureIn(error)
    if (failure !== undefined) {
      const { code, message, next: remedy } = failure
      return errorPage(context, console, { status: code === 'usage' ? 400 : 503, message, remedy })
    }
    console.say(`bug in ${context.req.path}: ${error.stack ?? error.message}`)
    // The text of a bug may hold data.
    const message = 'A bug: this page could not be made.'
    return errorPage(context, console, { status: 503, message })
  })
  return app
}
