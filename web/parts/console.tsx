/** The parts of the console that every page needs: its process, its lists and its answers. */
import type { Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type { BooksAct, BooksActed } from '../../domain/books.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Failure } from '../../domain/failure.ts'
import { failureBehind } from '../../cli/shell/failures.ts'
import type { Commands } from './commands.ts'
import { type Column, Page } from './frame.tsx'
import type { Env, Person } from './guard.ts'
import { inFields } from './labels.ts'
import { type Branch, Link } from './link.tsx'
import { ListPage } from './list-page.tsx'
import { csvOf, type Listed, listAll, listPage, type ListSpec } from './listing.ts'
import type { AccountReader } from './reader.ts'

/** The parts that the pages need from their process. */
export interface Console {
  settings: Settings
  /** The addresses and the flags of this account. */
  branch: Branch
  reader: AccountReader
  commands: Commands
  /** Records a decision, the way the commands do. */
  decide(act: BooksAct): Promise<BooksActed>
  /** Does one thing after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  signal: AbortSignal
  say(line: string): void
}

export type App = Hono<Env>

export interface Refusal {
  status: 400 | 404 | 409 | 503
  message: string
  remedy?: string
}

/** What a page needs of its request. */
export const pageOf = (context: Context<Env>, { settings, branch }: Console) => ({
  account: settings.account,
  branch,
  person: context.get('person'),
})

/** The failure that an error stands for, also if it crossed a workflow; undefined for a bug. */
export function failureIn(error: unknown): Failure | undefined {
  const failure = failureBehind(error)
  return failure?.code === 'bug' ? undefined : failure
}

/** A page that says what was not done, and what to do next. */
export function errorPage(
  context: Context<Env>,
  console: Console,
  { status, message, remedy = '' }: Refusal,
): Response | Promise<Response> {
  // The guard itself may have failed, before it knew the person.
  const known = context.get('person') as Person | undefined
  const person = known ?? { name: '', role: 'viewer', formToken: '' }
  return context.html(
    <Page {...pageOf(context, console)} title="Not done" person={person} at="">
      <p class="message bad">{message}</p>
      {remedy === '' ? null : <p>Next: {remedy}</p>}
      <p>
        <Link href="/">To the first page</Link>
      </p>
    </Page>,
    status,
  )
}

/** The answer to a form that is refused. Throws a bug again. */
export function refusalPage(
  context: Context<Env>,
  console: Console,
  error: unknown,
): Response | Promise<Response> {
  const failure = failureIn(error)
  if (failure === undefined) throw error
  return errorPage(context, console, { status: 409, ...inFields(failure) })
}

/** Adds a list with its CSV. */
export function addList(
  app: App,
  console: Console,
  list: {
    title: string
    caption: string
    scope?: string
    spec: ListSpec
    columns: readonly Column[]
    /** What the page says below the rows. */
    remark?: (listed: Listed) => Child | Promise<Child>
  },
): void {
  const { spec, columns, remark = () => null } = list
  const { account } = console.settings
  app.get(spec.path, async (context) => {
    const query = context.req.query()
    const listed = await listPage(console.reader, spec, { account, query })
    return context.html(
      <ListPage {...list} {...pageOf(context, console)} {...{ listed, query }}>
        {await remark(listed)}
      </ListPage>,
    )
  })
  app.get(`${spec.path}.csv`, async (context) => {
    const rows = await listAll(console.reader, spec, { account, query: context.req.query() })
    return csvResponse(
      context,
      `${spec.path.slice(1)}.csv`,
      csvOf(
        columns.map(({ name }) => name),
        rows,
      ),
    )
  })
}

export const csvResponse = (context: Context<Env>, name: string, text: string): Response =>
  context.body(text, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
