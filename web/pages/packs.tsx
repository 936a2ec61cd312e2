/** Published packs: verify, compare two, download a file, approve. */
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { approvalOf, refusalOf } from '../../cli/decide/approve.ts'
import { linesOf } from '../../cli/inspect/diff.ts'
import { Failure } from '../../domain/failure.ts'
import type { OpenStore } from '../../domain/settings.ts'
import { packFolder } from '../../reports/pack/pack-folder.ts'
import {
  diffPacksAt,
  openPackFile,
  verifyPackAt,
  writeApprovalAt,
} from '../../reports/open-pack.ts'
import type { VerifiedPack } from '../../reports/verify-pack.ts'
import { objectStore } from '../../workers/config/object-store.ts'
import { actorOf, commandLine, flagOf, type Form, type Order, perform } from '../parts/acts.tsx'
import { type App, type Console, errorPage, pageOf } from '../parts/console.tsx'
import {
  type Column,
  CommandLine,
  Facts,
  FilterForm,
  instant,
  Page,
  type InPage,
  Table,
} from '../parts/frame.tsx'
import type { Env } from '../parts/guard.ts'
import { createQueue } from '../parts/queue.ts'
import type { Cells } from '../parts/reader.ts'
import { Review } from './pack-review.tsx'
import { newestAct } from '../parts/earlier-acts.ts'

const MOST_PACKS = 200

const PUBLISHED = `with reviews as (
    select account, subject as "runId", max_by(case action when 'pack.approve' then 'approved by ' else 'refused by ' end || actor, seq) as review
    from audit_trail where action in ('pack.approve', 'pack.refuse') group by all)
  select "runId", runs."rangeFrom", runs."rangeTo", "asOf", "publishedAt", publications.certificate, review
  from publications join runs using (account, "runId") left join reviews using (account, "runId") where account = $1`

const REFUSALS = `select actor, "actedAt", reason from audit_trail
  where account = $1 and subject = $2 and action = 'pack.refuse' order by seq desc`

const COLUMNS: readonly Column[] = [
  { name: 'runId', title: 'Pack', link: ({ runId }) => `/packs/${runId}` },
  { name: 'rangeFrom', title: 'From' },
  { name: 'rangeTo', title: 'Before' },
  { name: 'publishedAt', title: 'Published, UTC', as: 'instant' },
  { name: 'certificate', title: 'Sweeps', isWide: true },
  { name: 'review', title: 'Review' },
]
const FILES: readonly Column[] = [
  { name: 'name', title: 'File', link: ({ href }) => href ?? undefined },
  { name: 'rows', title: 'Rows', as: 'count' },
  { name: 'bytes', title: 'Bytes', as: 'count', isWide: true },
  { name: 'sha256', title: 'SHA-256', isWide: true },
]

/** Adds the list, the page of a pack, its files, the comparison and the approval. */
export function addPacks(app: App, console: Console): void {
  const { settings, reader } = console
  const openStore = storeOf(console)
  app.get('/packs', async (context) => {
    const sql = `${PUBLISHED} order by "publishedAt" desc`
    const rows = await reader.rows({ sql, values: [settings.account], limit: MOST_PACKS })
    return context.html(<Packs {...pageOf(context, console)} title="Packs" rows={rows} />)
  })
  app.get('/packs/compare', (context) => compare(context, console))
  app.get('/packs/:runId', async (context) => {
    const runId = context.req.param('runId')
    const folder = await folderOf(console, runId)
    if (folder === undefined) {
      return errorPage(context, console, { status: 404, message: `No pack ${runId} is published.` })
    }
    const seen = await newestAct(reader, settings.account)
    const verified = await inTurn(() => verifyPackAt(folder, openStore).catch(failureOnly))
    const title = `Pack ${runId}`
    const refusals = await reader.rows({ sql: REFUSALS, values: [settings.account, runId] })
    return context.html(
      <Pack
        {...pageOf(context, console)}
        {...{ title, runId, folder, verified, refusals, seen }}
      />,
    )
  })
  app.get('/packs/:runId/files/:name{.+}', (context) => sendFile(context, console))
  app.post('/packs/:runId/approve', (context) =>
    perform(context, console, (form) => approvalOrder(context, console, form)),
  )
  app.post('/packs/:runId/refuse', (context) =>
    perform(context, console, (form) => refusalOrder(context, console, form)),
  )
}

/** The folder or address of a published pack; undefined for every other run. */
async function folderOf(
  { settings: { account, out }, reader }: Console,
  runId: string,
): Promise<string | undefined> {
  const row = await reader.row({
    sql: `select * from (${PUBLISHED}) where "runId" = $2`,
    values: [account, runId],
  })
  if (row === undefined) return undefined
  const window = { from: row['rangeFrom'] ?? '', to: row['rangeTo'] ?? '' }
  return packFolder({ account, window, runId, out })
}

const storeOf = ({ settings: { packStore } }: Console): OpenStore => packStore ?? objectStore

async function compare(context: Context<Env>, console: Console): Promise<Response> {
  const [one = '', other = ''] = [context.req.query('one'), context.req.query('other')]
  const [before, after] = [await folderOf(console, one), await folderOf(console, other)]
  if (before === undefined || after === undefined) {
    return errorPage(context, console, { status: 404, message: 'Choose two published packs.' })
  }
  const lines = linesOf(await inTurn(() => diffPacksAt([before, after], storeOf(console))))
  return context.html(
    <Page {...pageOf(context, console)} title="Two packs compared" at="/packs">
      <pre>{lines.join('\n')}</pre>
      <CommandLine line={commandLine('diff', before, after)} />
    </Page>,
  )
}

async function sendFile(context: Context<Env>, console: Console): Promise<Response> {
  const folder = await folderOf(console, context.req.param('runId') ?? '')
  const name = context.req.param('name') ?? ''
  const content =
    folder === undefined ? undefined : await openPackFile(folder, name, storeOf(console))
  if (content === undefined) {
    return errorPage(context, console, { status: 404, message: 'The pack has no such file.' })
  }
  // An answer to HEAD has no body, so that nothing else would close the file.
  if (context.req.method === 'HEAD') content.destroy()
  const body = Readable.toWeb(content)
  return context.body(body as unknown as ReadableStream, 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${basename(name)}"`,
  })
}

/** The pack under review. Throws approval_refused for a person without the role, and usage without a pack. */
async function reviewed(
  context: Context<Env>,
  console: Console,
): Promise<{ runId: string; folder: string }> {
  const runId = context.req.param('runId') ?? ''
  if (context.get('person').role !== 'reviewer') {
    throw new Failure('approval_refused', 'only a reviewer approves or refuses a pack')
  }
  const folder = await folderOf(console, runId)
  if (folder === undefined) throw new Failure('usage', `no pack ${runId} is published`)
  return { runId, folder }
}

async function refusalOrder(context: Context<Env>, console: Console, form: Form): Promise<Order> {
  const { runId, folder } = await reviewed(context, console)
  const reason = form.text('reason')
  return {
    act: refusalOf(await verifyPackAt(folder, storeOf(console)), reason, actorOf(context)),
    line: commandLine('approve', folder, ...flagOf('--refuse', reason)),
    back: `/packs/${runId}`,
  }
}

async function approvalOrder(context: Context<Env>, console: Console, form: Form): Promise<Order> {
  const { runId, folder } = await reviewed(context, console)
  const isConfirmed = form.given('yes') === 'yes'
  const reason = form.given('reason') ?? 'reviewed'
  const flags = { reason, ...(isConfirmed ? { yes: true } : {}) }
  const act = approvalOf(await verifyPackAt(folder, storeOf(console)), flags, actorOf(context))
  return {
    act,
    line: commandLine(
      ...['approve', folder, ...flagOf('--reason', reason), ...(isConfirmed ? ['--yes'] : [])],
    ),
    back: `/packs/${runId}`,
    done: async (acted) => {
      const { packMode: fileMode } = console.settings
      await writeApprovalAt({ pack: folder, open: storeOf(console), fileMode }, act, acted)
    },
  }
}

/** Packs are read one at a time, because each is read whole. */
const inTurn = createQueue()

/** A store that does not answer says nothing about the pack. */
const headOf = ({ code }: Failure): string =>
  code === 'pack_altered' || code === 'control_total_failed'
    ? 'This pack does not verify'
    : 'This pack can not be read now'

const failureOnly = (error: unknown): Failure => {
  if (error instanceof Failure) return error
  throw error
}

const Packs: FC<InPage & { rows: readonly Cells[] }> = ({ rows, ...page }) => (
  <Page {...page} at="/packs">
    {rows.length === 0 ? (
      <p class="note">No pack is published yet.</p>
    ) : (
      <>
        <Table
          caption="Published packs, newest first"
          columns={COLUMNS}
          rows={rows}
          limit={MOST_PACKS}
        />
        <FilterForm path="/packs/compare" label="Compare two packs">
          {[
            ['one', 'Earlier pack', 1],
            ['other', 'Later pack', 0],
          ].map(([name, title, chosen]) => (
            <label>
              {title}
              <select name={String(name)}>
                {rows.map(({ runId, rangeFrom, rangeTo }, at) => (
                  <option value={runId ?? ''} selected={at === chosen}>
                    {`${runId}, ${rangeFrom} to ${rangeTo}`}
                  </option>
                ))}
              </select>
            </label>
          ))}
          <button type="submit">Compare</button>
        </FilterForm>
      </>
    )}
  </Page>
)

const Pack: FC<
  InPage & {
    runId: string
    folder: string
    verified: VerifiedPack | Failure
    refusals: readonly Cells[]
    seen: string
  }
> = ({ runId, folder, verified, refusals, seen, ...page }) => (
  <Page {...page} at="/packs">
    {verified instanceof Failure ? (
      <>
        <p class="message bad">{`${headOf(verified)}: ${verified.message}.`}</p>
        <p>Next: {verified.remedy}</p>
      </>
    ) : (
      <>
        <p class="message">
          {`Verified now: ${verified.files} files, ${verified.proved.length} control totals computed again.`}
        </p>
        <Facts
          facts={[
            [
              'Range',
              `${verified.manifest.from} up to, but not including, ${verified.manifest.to}`,
            ],
            ['Prepared by', verified.manifest.preparedBy ?? ''],
            ['Approved by', verified.approval?.approvedBy ?? 'not approved'],
            ['Approved at, UTC', verified.approval?.approvedAt ?? ''],
            ['Manifest', verified.sha256],
          ]}
        />
        {refusals.map(({ actor, actedAt, reason }) => (
          <p class="message bad">{`Refused by ${actor}, ${instant(actedAt ?? '')} UTC: ${reason}`}</p>
        ))}
        <Table
          caption="Files of the pack"
          columns={FILES}
          rows={verified.manifest.files.map(({ name, bytes, sha256, ...file }) => ({
            ...{ name, sha256, bytes: String(bytes), href: `/packs/${runId}/files/${name}` },
            rows: 'rows' in file ? String(file.rows ?? '') : '',
          }))}
        />
        {page.person.role !== 'reviewer' || verified.approval !== undefined ? null : (
          <Review runId={runId} person={page.person} seen={seen} />
        )}
      </>
    )}
    <CommandLine line={commandLine('verify', folder)} />
  </Page>
)
