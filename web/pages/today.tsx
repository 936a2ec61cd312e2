/** The first page: the verdict of the newest run, the items that need a person, and how current everything is. */
import type { FC } from 'hono/jsx'
import {
  type Column,
  Facts,
  instant,
  Page,
  type InPage,
  RunningWork,
  Table,
} from '../parts/frame.tsx'
import { countLaterDecisions, laterDecisions } from '../../queries/later-decisions.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Row } from '../../reports/pack/pack-source.ts'
import { summaryParts } from '../../reports/pack/summary.ts'
import {
  KINDS,
  OPEN_PARTS,
  PARTS,
  SIGNS,
  SUMS,
  SWEEP_MEANINGS,
} from '../../reports/pack/summary-words.ts'
import { Link } from '../parts/link.tsx'
import type { Cells, AccountReader } from '../parts/reader.ts'
import { subjectAddress } from '../parts/subject-address.ts'

export interface TodayData {
  newest: Cells | undefined
  verdicts: Cells[]
  worklist: Cells[]
  sweeps: Cells[]
  /** The newest pack and sweep of each account of the lake. */
  accounts: Cells[]
  /** Differences and open items, as the summary of the newest pack has them. */
  summary: ReadonlyMap<string, Cells[]>
  /** Decisions that the newest pack does not show. */
  later: number
}

/** The most items of the first page; worklist.csv and the queue have all. */
const MOST_ITEMS = 25

const WORKLIST = `select "rank"::varchar as "rank", "subjectType", "subjectId", "terminalName", amount, since, "ageDays", certainty,
  cause, "askWhom", "nextStep", assignee, "exceptionIds" from worklist where account = $1 order by "rank"::bigint`

/** No view has the rows of the summaries. */
const SUMMARY = 'select part, cells from lake.result.summary where run_id = $1 order by row_no'

/** Reads the newest published run of the account. */
export async function today(reader: AccountReader, settings: Settings): Promise<TodayData> {
  const { account } = settings
  const values = [account]
  const [newest] = await reader.rows({
    sql: `select "runId", runs."rangeFrom", runs."rangeTo", "asOf", "publishedAt", certificate from publications join runs using (account, "runId")
      where account = $1 and runs."isLatest"`,
    values,
    limit: 1,
  })
  const verdicts = await reader.rows({
    sql: `select verdict, count(*) as settlements, sum("reportedNet") as reported from settlements
      where account = $1 group by verdict order by verdict`,
    values,
  })
  const runId = newest?.['runId'] ?? undefined
  const summary =
    runId === undefined
      ? new Map<string, Cells[]>()
      : await reader.query(`summary ${runId}`, async (connection) => {
          const stored = await connection.runAndReadAll(SUMMARY, [runId])
          return summaryParts(stored.getRowObjectsJson() as Row[])
        })
  const later =
    runId === undefined
      ? 0
      : await reader.query(`later ${runId}`, (connection) =>
          countLaterDecisions(connection, { account, runId }),
        )
  const worklist = await reader.rows({ sql: WORKLIST, values, limit: MOST_ITEMS })
  const sweeps = await reader.rows({
    sql: `with newest as (
        from sweeps select *, arg_max("runId", "endedAt") over (partition by list) as "newestRun" where account = $1),
      last_pass as (
        from newest where "runId" is not distinct from "newestRun"
        qualify row_number() over (partition by list, "terminalId" order by "endedAt" desc, "startedAt" desc, "sweepId" desc) = 1)
      select list, max("endedAt") as "endedAt", arg_max(certificate, "endedAt") as certificate, sum(records) as records
      from last_pass group by list order by list`,
    values,
  })
  const accounts = await reader.rows({
    sql: `select account, max("endedAt") as "endedAt", max(published."publishedAt") as "publishedAt"
      from sweeps left join (
        select account, max("publishedAt") as "publishedAt" from publications group by account
      ) as published using (account)
      group by account order by account`,
  })
  return { newest, verdicts, worklist, sweeps, summary, later, accounts }
}

const ITEMS: readonly Column[] = [
  { name: 'rank', title: 'No.', as: 'count', isWide: true },
  { name: 'subjectId', title: 'Item', link: (row) => subjectAddress(row) },
  { name: 'terminalName', title: 'Terminal', isWide: true },
  { name: 'amount', title: 'Amount', as: 'off' },
  { name: 'since', title: 'Since', isWide: true },
  { name: 'ageDays', title: 'Days', as: 'count' },
  { name: 'certainty', title: 'How sure', isWide: true },
  { name: 'cause', title: 'Likely cause' },
  { name: 'askWhom', title: 'Ask', isWide: true },
  {
    ...{ name: 'nextStep', title: 'Next step' },
    // A settlement that can't be judged has no exception.
    link: ({ exceptionIds }) => {
      const [first = ''] = (exceptionIds ?? '').split(';')
      return first === '' ? undefined : `/exceptions/${first}`
    },
  },
  { name: 'assignee', title: 'Assigned to', isWide: true },
]

const DIFFERENCES: readonly Column[] = [
  { name: 'part', title: 'Part' },
  { name: 'settlements', title: 'Settlements', as: 'count' },
  { name: 'short', title: 'Short', as: 'off' },
  { name: 'over', title: 'Over', as: 'off' },
  { name: 'gross', title: 'Gross', as: 'off' },
]

const OPEN: readonly Column[] = [
  { name: 'part', title: 'Part' },
  { name: 'items', title: 'Items', as: 'count' },
  { name: 'differenceGross', title: 'Differences, gross', as: 'money' },
  { name: 'otherGross', title: 'Other amounts', as: 'money' },
  { name: 'oldest', title: 'Oldest since', isWide: true },
  { name: 'oldestDays', title: 'Days', as: 'count' },
]

const VERDICTS: readonly Column[] = [
  {
    name: 'verdict',
    title: 'Verdict',
    as: 'word',
    link: (row) => `/settlements?verdict=${row['verdict']}`,
  },
  { name: 'settlements', title: 'Settlements', as: 'count' },
  { name: 'reported', title: 'Reported net', as: 'money' },
]

const ACCOUNTS: readonly Column[] = [
  { name: 'account', title: 'Account' },
  { name: 'publishedAt', title: 'Newest pack, UTC', as: 'instant' },
  { name: 'endedAt', title: 'Newest sweep, UTC', as: 'instant' },
]

const SWEEPS: readonly Column[] = [
  { name: 'list', title: 'List' },
  { name: 'endedAt', title: 'Read at, UTC', as: 'instant' },
  { name: 'certificate', title: 'Certificate' },
  { name: 'records', title: 'Records', as: 'count' },
]

export const Today: FC<InPage & { data: TodayData }> = ({
  data: { newest, verdicts, worklist, sweeps, summary, later, accounts },
  ...page
}) => (
  <Page {...page} at="/">
    {newest === undefined ? (
      <p class="message">
        No pack is published yet. Start with <code>tieout run</code>.
      </p>
    ) : (
      <>
        <Facts
          facts={[
            ['Range', `${newest['rangeFrom']} up to, but not including, ${newest['rangeTo']}`],
            ['Judged as of, UTC', instant(newest['asOf'] ?? '')],
            ['Published, UTC', instant(newest['publishedAt'] ?? '')],
          ]}
        />
        <p class="note">
          {`Sweeps: ${newest['certificate']}. ${SWEEP_MEANINGS[newest['certificate'] ?? '']}`}
        </p>
        {later === 0 ? null : (
          <p class="message">
            {`${laterDecisions(later)}, which does not show them. `}
            <Link href="/exceptions?state=all">Exceptions</Link> shows the states now.
          </p>
        )}
        <h2>Settlements of the range by verdict</h2>
        <Table caption="Settlements by verdict" columns={VERDICTS} rows={verdicts} />
        <Money summary={summary} />
        <h2>Items that need a person</h2>
        <p class="note">{`Items of any date. The amounts of settlements are differences. ${SIGNS}`}</p>
        <Table
          caption="Items that need a person, largest amount first"
          columns={ITEMS}
          rows={worklist}
          limit={MOST_ITEMS}
          empty="None."
        />
        <p class="note">
          Decide about an item on the page of its next step, or about several under{' '}
          <Link href="/exceptions">Exceptions</Link>, which has all of them.
        </p>
        <Freshness sweeps={sweeps} accounts={accounts} />
      </>
    )}
    <RunningWork />
  </Page>
)

/** The rows of a part, each with the words for its name. */
const named = (rows: readonly Cells[] = [], words: Readonly<Record<string, string>>): Cells[] =>
  rows.map((row) => ({ ...row, part: words[row['part'] ?? ''] ?? '' }))

/** Differences with waived ones, and open items by their dates. */
const Money: FC<Pick<TodayData, 'summary'>> = ({ summary }) => (
  <>
    <h2>Differences</h2>
    <Table
      caption="Differences as short, over and gross"
      columns={DIFFERENCES}
      rows={named(summary.get('exposure'), PARTS)}
    />
    <p class="note">{SUMS}</p>
    <h2>Open items by date</h2>
    <Table
      caption="Open items by date"
      columns={OPEN}
      rows={named(summary.get('open'), OPEN_PARTS)}
    />
    <p class="note">{KINDS}</p>
  </>
)

const Freshness: FC<Pick<TodayData, 'sweeps' | 'accounts'>> = ({ sweeps, accounts }) => (
  <>
    <h2>How current the records are</h2>
    <Table caption="The newest sweep of each list" columns={SWEEPS} rows={sweeps} />
    {accounts.length < 2 ? null : (
      <Table
        caption="The newest pack and sweep of each account"
        columns={ACCOUNTS}
        rows={accounts}
      />
    )}
  </>
)
