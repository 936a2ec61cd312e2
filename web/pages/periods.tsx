/** Accounting periods: the close checklist of each, and the acts that close and reopen one. */
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { isPeriod, type PeriodAct } from '../../domain/books.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import { Failure } from '../../domain/failure.ts'
import { readTrail } from '../../lake/decisions/audit-trail.ts'
import { periodsIn } from '../../lake/decisions/periods-and-exports.ts'
import { closeItems, closeItemWords, type CloseItem } from '../../queries/close-checklist.ts'
import { actorOf, commandLine, flagOf, type Form, type Order, perform } from '../parts/acts.tsx'
import { type App, type Console, errorPage, pageOf } from '../parts/console.tsx'
import { ActForm, type Column, Page, type InPage, Table } from '../parts/frame.tsx'
import { newestAct, refuseDecided } from '../parts/earlier-acts.ts'
import type { Env } from '../parts/guard.ts'
import { LABELS } from '../parts/labels.ts'
import type { Cells } from '../parts/reader.ts'

const COLUMNS: readonly Column[] = [
  { name: 'period', title: 'Period', link: ({ period }) => `/periods/${period}` },
  { name: 'state', title: 'State' },
  { name: 'by', title: 'By' },
  { name: 'at', title: 'At, UTC', as: 'instant' },
  { name: 'reason', title: 'Reason', isWide: true },
]

/** Adds the list, the page of a period with its checklist, and its acts. */
export function addPeriods(app: App, console: Console): void {
  const { settings, reader } = console
  const itemsOf = (period: string) =>
    reader.query(`period ${period}`, (connection) => closeItems(connection, settings, period))
  const turned = () =>
    reader.query('periods', async (connection) =>
      periodsIn(await readTrail(connection), settings.account),
    )
  app.get('/periods', async (context) => {
    const known = await turned()
    const months = await reader.rows({
      sql: `select distinct strftime("businessDate", '%Y-%m') as period from every_run.settlements where account = $1 order by 1 desc`,
      values: [settings.account],
    })
    const rows = months
      .map(({ period }) => period ?? '')
      .concat(known.map(({ period }) => period))
      .filter((period, at, all) => all.indexOf(period) === at)
      .toSorted((a, b) => (a < b ? 1 : -1))
      .map((period): Cells => ({
        period,
        state: 'open',
        ...known.find((one) => one.period === period),
      }))
    return context.html(
      <Page {...pageOf(context, console)} title="Periods" at="/periods">
        <Table
          caption="Accounting periods, newest first"
          columns={COLUMNS}
          rows={rows}
          empty="No period yet."
        />
      </Page>,
    )
  })
  app.get('/periods/:period', async (context) => {
    const period = context.req.param('period')
    if (!isPeriod(period))
      return errorPage(context, console, { status: 404, message: `${period} is no month.` })
    const seen = await newestAct(reader, settings.account)
    const items = await itemsOf(period)
    const isClosed = (await turned()).some((one) => one.period === period && one.state === 'closed')
    return context.html(
      <Period
        {...pageOf(context, console)}
        title={`Period ${period}`}
        {...{ period, items, isClosed, seen }}
      />,
    )
  })
  app.post('/periods/:period', (context) =>
    perform(context, console, (form) => orderOf(context, console, { form, itemsOf })),
  )
}

/**
 * Reads the form that closes or reopens a period. Throws usage, and close_refused for a person without the role. A page
 * from before a later act, or with other blockers than now, is refused.
 */
async function orderOf(
  context: Context<Env>,
  { settings: { account }, reader }: Console,
  { form, itemsOf }: { form: Form; itemsOf: (period: string) => Promise<CloseItem[]> },
): Promise<Order> {
  const period = context.req.param('period') ?? ''
  if (!isPeriod(period)) throw new Failure('usage', `${period} is no month`)
  if (context.get('person').role !== 'reviewer') {
    throw new Failure('close_refused', 'only a reviewer closes or reopens a period')
  }
  const kind: PeriodAct['kind'] = form.text('kind') === 'reopen' ? 'reopen' : 'close'
  const reason = wordsOf('--reason', form.text('reason'))
  const given = kind === 'close' ? form.given('acceptOpen') : undefined
  const acceptOpen = given === undefined ? undefined : wordsOf('--accept-open', given)
  await refuseDecided(reader, { account, subjects: [period], form })
  if (acceptOpen !== undefined && blockersIn(await itemsOf(period)) !== form.text('blockers')) {
    throw new Failure('usage', `the blockers of ${period} are not those of the page any more`, {
      remedy: 'load the page again, look at the blockers, then decide',
    })
  }
  return {
    act: {
      ...{ kind, period, reason, account, actor: actorOf(context) },
      ...(acceptOpen === undefined ? {} : { acceptOpen }),
    },
    line: commandLine(
      ...['periods', kind, period, ...flagOf('--reason', reason)],
      ...(acceptOpen === undefined ? [] : flagOf('--accept-open', acceptOpen)),
    ),
    back: `/periods/${period}`,
  }
}

/** The blockers as a text, by which a form shows which ones its person saw. */
const blockersIn = (items: readonly CloseItem[]): string =>
  items
    .filter(({ isBlocker }) => isBlocker)
    .map(closeItemWords)
    .join('; ')

const Period: FC<
  InPage & {
    period: string
    items: readonly CloseItem[]
    isClosed: boolean
    seen: string
  }
> = ({ period, items, isClosed, seen, ...page }) => {
  const blockers = items.filter(({ isBlocker }) => isBlocker)
  return (
    <Page {...page} at="/periods">
      <p class="message">{isClosed ? 'This period is closed.' : 'This period is open.'}</p>
      <h2>Blockers</h2>
      <Items items={blockers} />
      <h2>Notes</h2>
      <Items items={items.filter(({ isBlocker }) => !isBlocker)} />
      {page.person.role !== 'reviewer' ? (
        <p class="note">A reviewer closes a period.</p>
      ) : (
        <ActForm action={`/periods/${period}`} person={page.person} seen={seen}>
          <input type="hidden" name="kind" value={isClosed ? 'reopen' : 'close'} />
          <input type="hidden" name="blockers" value={blockersIn(items)} />
          <label>
            {LABELS.reason}
            <input name="reason" maxlength={200} required />
          </label>
          {isClosed || blockers.length === 0 ? null : (
            <label>
              {LABELS.acceptOpen}
              <input name="acceptOpen" maxlength={200} />
            </label>
          )}
          <button type="submit">{isClosed ? 'Reopen the period' : 'Close the period'}</button>
        </ActForm>
      )}
    </Page>
  )
}

const Items: FC<{ items: readonly CloseItem[] }> = ({ items }) =>
  items.length === 0 ? (
    <p class="note">None.</p>
  ) : (
    <ul>
      {items.map((item) => (
        <li>{closeItemWords(item)}</li>
      ))}
    </ul>
  )
