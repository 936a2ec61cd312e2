/** Runs, sweeps and backfills: the running work with its progress, and the acts that start and steer it. */
import type { FC } from 'hono/jsx'
import { isDate } from '../../domain/business-day.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import { Failure } from '../../domain/failure.ts'
import { recordedBackfills } from '../../lake/decisions/backfill-log.ts'
import { runsNow, type Reached } from '../../cli/status/runs-now.ts'
import { actorOf, commandLine, flagOf, type Form, formOf } from '../parts/acts.tsx'
import { type App, type Console, pageOf, refusalPage } from '../parts/console.tsx'
import type { Commands, Started } from '../parts/commands.ts'
import {
  ActForm,
  type Column,
  instant,
  Page,
  type InPage,
  RunningWork,
  Table,
} from '../parts/frame.tsx'
import type { Cells } from '../parts/reader.ts'

const SWEEPS: readonly Column[] = [
  { name: 'list', title: 'List' },
  { name: 'startedAt', title: 'Started, UTC', as: 'instant', isWide: true },
  { name: 'endedAt', title: 'Ended, UTC', as: 'instant' },
  { name: 'certificate', title: 'Certificate' },
  { name: 'pages', title: 'Pages', as: 'count', isWide: true },
  { name: 'records', title: 'Records', as: 'count' },
  { name: 'newVersions', title: 'New versions', as: 'count' },
  { name: 'quarantined', title: 'Quarantined', as: 'count' },
  { name: 'rewinds', title: 'Pages read again', as: 'count', isWide: true },
  { name: 'throttled', title: 'Throttled requests', as: 'count', isWide: true },
]
const RUNS: readonly Column[] = [
  { name: 'runId', title: 'Run' },
  { name: 'rangeFrom', title: 'From' },
  { name: 'rangeTo', title: 'Before' },
  { name: 'asOf', title: 'As of, UTC', as: 'instant' },
  { name: 'recordedAt', title: 'Recorded, UTC', as: 'instant', isWide: true },
]
const BACKFILLS: readonly Column[] = [
  { name: 'from', title: 'From' },
  { name: 'to', title: 'Before' },
  { name: 'state', title: 'State' },
  { name: 'actor', title: 'By' },
  { name: 'reason', title: 'Reason' },
]

const MOST_LINES = 40

const STEERING = ['pause', 'resume', 'cancel', 'slow'] as const

/** Adds the page, the part that refreshes itself, and the orders. */
export function addRuns(app: App, console: Console): void {
  const { settings, branch, reader, commands } = console
  const read = (sql: string) => reader.rows({ sql, values: [settings.account], limit: MOST_LINES })
  const now = () => runsNow([settings], console.signal)
  app.get('/runs', async (context) => {
    const data = {
      runs: await read('select * from runs where account = $1 order by "recordedAt" desc'),
      sweeps: await read('select * from sweeps where account = $1 order by "endedAt" desc'),
      backfills: await reader.query('backfills', (connection) =>
        recordedBackfills(connection, settings.account),
      ),
    }
    return context.html(<Runs {...pageOf(context, console)} title="Runs" {...data} />)
  })
  app.get('/runs/now', async (context) => {
    const part = <Now reached={await now()} commands={commands.all} account={settings.account} />
    if (context.req.header('hx-request') !== undefined) return context.html(part)
    return context.html(
      <Page {...pageOf(context, console)} title="Running work" at="/runs">
        {part}
      </Page>,
    )
  })
  app.post('/runs', async (context) => {
    try {
      const args = [...branch.accountFlags, ...argsOf(await formOf(context))]
      refuseRunning(commands, args)
      commands.start(args, actorOf(context))
      return context.redirect(`${branch.base}/runs/now`, 303)
    } catch (error) {
      return refusalPage(context, console, error)
    }
  })
}

/** A form that is sent twice starts one command. Throws usage. */
function refuseRunning({ all }: Commands, args: readonly string[]): void {
  const isSame = (one: Started) => JSON.stringify(one.args) === JSON.stringify(args)
  if (!all.some((one) => one.code === undefined && isSame(one))) return
  throw new Failure('usage', 'this command is running already', {
    remedy: 'wait for its end, which the page Runs shows',
  })
}

/** The arguments of the command that a form orders. Throws usage. */
function argsOf(form: Form): string[] {
  const what = form.text('what')
  const [from, to] = ['from', 'to'].map((name) => dateOf(form, name))
  const dates = [
    ...(from === undefined ? [] : ['--from', from]),
    ...(to === undefined ? [] : ['--to', to]),
  ]
  if (what === 'run' || what === 'reconcile') return [what, ...dates]
  if (what === 'backfill') {
    if (dates.length < 4) throw new Failure('usage', 'a backfill needs its first and its last day')
    const reason = wordsOf('--reason', form.text('reason'))
    return ['backfill', ...dates, ...flagOf('--reason', reason)]
  }
  const steering = STEERING.find((one) => one === what)
  if (steering === undefined) throw new Failure('usage', 'choose what to do')
  const range = from === undefined || to === undefined ? [] : [`${from}..${to}`]
  if (steering !== 'slow') return ['backfill', steering, ...range]
  const rate = form.text('rate')
  if (!/^(full|\d{1,6}(\.\d{1,3})?)$/.test(rate)) {
    throw new Failure('usage', 'name the requests per second, or full')
  }
  return ['backfill', 'slow', rate, ...range]
}

function dateOf(form: Form, name: string): string | undefined {
  const text = form.given(name)
  if (text === undefined || isDate(text)) return text
  throw new Failure('usage', `${text} is not a date such as 2026-11-30`)
}

const Now: FC<{ reached: Reached; commands: readonly Started[]; account: string }> = ({
  reached,
  commands,
  account,
}) => {
  const found = reached.reached ? reached.accounts.get(account) : undefined
  return (
    <div id="now">
      {reached.reached ? null : <p class="note">{`No running work: ${reached.why}.`}</p>}
      {found === undefined ? null : (
        <>
          {found.running.length === 0 ? <p class="note">No run is at work.</p> : null}
          <ul>
            {found.running.map(({ workflowId, startedAt, progress }) => (
              <li>
                <b>{workflowId}</b>
                {`, since ${instant(startedAt)} UTC: ${progress === '' ? 'no worker answers' : progress}`}
              </li>
            ))}
          </ul>
          {found.lastEnded === undefined ? null : (
            <p class="note">{`Last ended: ${found.lastEnded.workflowId}, ${found.lastEnded.status}. ${found.lastEnded.failure ?? ''}`}</p>
          )}
          <p class="note">
            {found.schedule === undefined
              ? 'No schedule is set.'
              : found.schedule.paused
                ? 'The schedule is paused.'
                : `The next run is due ${instant(found.schedule.nextRun ?? '')} UTC.`}
          </p>
        </>
      )}
      {commands.map(({ id, args, startedAt, lines, code }) => (
        <details id={`command-${id}`} open={code !== 0}>
          <summary>{`${commandLine(...args)}: ${stateOf(code)}, started ${instant(startedAt)} UTC`}</summary>
          <pre>{lines.slice(-30).join('\n')}</pre>
        </details>
      ))}
    </div>
  )
}

const stateOf = (code: Started['code']): string => {
  if (code === undefined) return 'running'
  return code === null ? 'ended by a signal' : `ended with exit code ${code}`
}

const Runs: FC<
  InPage & {
    runs: readonly Cells[]
    sweeps: readonly Cells[]
    backfills: readonly object[]
  }
> = ({ runs, sweeps, backfills, ...page }) => (
  <Page {...page} at="/runs">
    <RunningWork />
    {page.person.role === 'viewer' ? null : <Orders {...page} />}
    <h2>Backfills</h2>
    <Table
      caption="Backfills"
      columns={BACKFILLS}
      rows={backfills as readonly Cells[]}
      empty="None."
    />
    <h2>Sweeps</h2>
    <Table caption="Sweeps, newest first" columns={SWEEPS} rows={sweeps} limit={MOST_LINES} />
    <h2>Recorded runs</h2>
    <Table caption="Runs, newest first" columns={RUNS} rows={runs} limit={MOST_LINES} />
  </Page>
)

const Orders: FC<InPage> = ({ person }) => (
  <ActForm action="/runs" person={person}>
    <label>
      What to do
      <select name="what">
        <option value="run">run: sweep, reconcile and publish</option>
        <option value="reconcile">reconcile what has landed</option>
        <option value="backfill">backfill</option>
        <option value="pause">pause a backfill</option>
        <option value="resume">resume a backfill</option>
        <option value="slow">slow a backfill</option>
        <option value="cancel">cancel a backfill</option>
      </select>
    </label>
    <label>
      From
      <input name="from" type="date" />
    </label>
    <label>
      Before
      <input name="to" type="date" />
    </label>
    <label>
      Reason of a backfill
      <input name="reason" maxlength={200} />
    </label>
    <label>
      Requests per second, or full
      <input name="rate" maxlength={20} />
    </label>
    <button type="submit">Start</button>
  </ActForm>
)
