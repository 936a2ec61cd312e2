/** The queue of exceptions with their current states, and one exception with its history. */
import type { FC } from 'hono/jsx'
import { filterOf } from '../../cli/decide/exceptions/filter-flags.ts'
import { grouped } from '../../domain/cents.ts'
import { totalsLine } from '../../queries/exception-totals.ts'
import {
  type ExceptionEvent,
  type ListedException,
  listingOn,
  prepareListing,
  shownOn,
} from '../../queries/list-exceptions.ts'
import { commandLine, perform } from '../parts/acts.tsx'
import { type App, type Console, csvResponse, pageOf } from '../parts/console.tsx'
import {
  ActForm,
  type Column,
  CommandLine,
  Facts,
  instant,
  Page,
  type InPage,
  Table,
  Word,
} from '../parts/frame.tsx'
import { Link } from '../parts/link.tsx'
import { csvOf, type Query } from '../parts/listing.ts'
import type { Cells } from '../parts/reader.ts'
import { newestAct } from '../parts/earlier-acts.ts'
import { Decision, decisionOrder } from './exception-decision.tsx'
import { cellsOf, CSV_COLUMNS, flagsOf, Queue, sorted } from './exception-queue.tsx'
import { subjectAddress } from '../parts/subject-address.ts'

/** Adds the queue, its CSV, the page of one exception, and the decisions. */
export function addExceptions(app: App, console: Console): void {
  const { settings, reader } = console
  // All pages of a queue are parts of one result.
  const listed = ({ after: _page, ...query }: Query) =>
    reader.query(`exceptions ${JSON.stringify(query)}`, async (connection) => {
      await prepareListing(connection, settings)
      const listing = await listingOn(connection, settings, filterOf(flagsOf(query)))
      const totals = totalsLine(listing, settings.currency)
      return { totals, rows: sorted(listing.exceptions, query) }
    })
  app.get('/exceptions', async (context) => {
    const query = context.req.query()
    // The number is older than the rows, so that no decision in between is missed.
    const seen = await newestAct(reader, settings.account)
    const shown = await listed(query)
    return context.html(
      <Queue {...pageOf(context, console)} title="Exceptions" {...{ ...shown, query, seen }} />,
    )
  })
  app.get('/exceptions.csv', async (context) => {
    const { rows } = await listed(context.req.query())
    return csvResponse(context, 'exceptions.csv', csvOf(CSV_COLUMNS, cellsOf(rows)))
  })
  app.get('/exceptions/:id{[0-9a-f]{1,64}}', async (context) => {
    const exceptionId = context.req.param('id')
    const seen = await newestAct(reader, settings.account)
    const shown = await reader.query(`exception ${exceptionId}`, async (connection) => {
      await prepareListing(connection, settings)
      return shownOn(connection, settings, exceptionId)
    })
    return context.html(
      <One
        {...pageOf(context, console)}
        title={`Exception ${exceptionId}`}
        id={exceptionId}
        {...{ seen, ...shown }}
      />,
    )
  })
  app.post('/exceptions/decide', (context) =>
    perform(context, console, (form) => decisionOrder(context, console, form)),
  )
}

const One: FC<
  InPage & {
    id: string
    seen: string
    exception: ListedException | undefined
    history: readonly ExceptionEvent[]
  }
> = ({ id, exception, history, seen, ...page }) => (
  <Page {...page} at="/exceptions">
    {exception === undefined ? (
      <p class="message">The newest run does not find this exception any more.</p>
    ) : (
      <Known exception={exception} />
    )}
    <h2>History</h2>
    <Table caption="History, oldest first" columns={HISTORY} rows={history as unknown as Cells[]} />
    {page.person.role === 'viewer' || exception === undefined ? null : (
      <ActForm action="/exceptions/decide" person={page.person} seen={seen}>
        <input type="hidden" name="exceptionId" value={id} />
        <input type="hidden" name="back" value={`/exceptions/${id}`} />
        <Decision />
      </ActForm>
    )}
    <CommandLine line={commandLine('exceptions', 'show', id)} />
  </Page>
)

const HISTORY: readonly Column[] = [
  { name: 'at', title: 'At, UTC', as: 'instant' },
  { name: 'what', title: 'Event' },
  { name: 'by', title: 'By' },
  { name: 'amount', title: 'Amount', as: 'money' },
  { name: 'reason', title: 'Reason' },
]

const Known: FC<{ exception: ListedException }> = ({ exception }) => {
  const href = subjectAddress(exception as unknown as Cells)
  const subject = `${exception.subjectType} ${exception.subjectId}`
  return (
    <Facts
      facts={[
        ['Code', exception.code],
        ['Severity', <Word text={exception.severity} />],
        ['Item', href === undefined ? subject : <Link href={href}>{subject}</Link>],
        ['Terminal', exception.terminalName ?? ''],
        ['Amount', grouped(exception.amount ?? '')],
        ['Likely cause', exception.cause ?? ''],
        ['Detail', exception.detail ?? ''],
        ['State', exception.state],
        ['Assigned to', exception.assignee ?? ''],
        ['First seen, UTC', instant(exception.firstSeen)],
        ['Days', String(exception.ageDays ?? '')],
      ]}
    />
  )
}
