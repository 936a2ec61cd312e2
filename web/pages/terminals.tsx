/** The list of terminals, and a page for each: totals by day, ageing and open items. */
import { raw } from 'hono/html'
import type { FC } from 'hono/jsx'
import { ageing } from '../../reports/page/charts.ts'
import { chart } from '../../reports/page/chart.ts'
import { JUDGED } from '../../reports/pack/summary-words.ts'
import { addList, type App, type Console, errorPage, pageOf } from '../parts/console.tsx'
import { type Column, Facts, Page, type InPage, Table } from '../parts/frame.tsx'
import { Link } from '../parts/link.tsx'
import type { ListSpec } from '../parts/listing.ts'
import type { Cells } from '../parts/reader.ts'
import { ID } from '../parts/fields.ts'
import { subjectAddress } from '../parts/subject-address.ts'

const IS_JUDGED = `verdict in ('${JUDGED.join("', '")}')`

const TERMINALS: ListSpec = {
  path: '/terminals',
  from: `select terminals.*, found.settlements, found.off, found.difference
    from terminals left join (
      select account, "terminalId", count(*) as settlements,
        count(*) filter (verdict in ('BREAK', 'EXPLAINED')) as off,
        coalesce(sum(abs(difference)) filter (${IS_JUDGED}), 0.00) as difference
      from settlements group by all
    ) as found using (account, "terminalId")`,
  id: 'terminalId',
  filters: [
    { name: 'id', title: 'Id', where: '"terminalId" = ?::bigint', read: ID },
    {
      ...{ name: 'name', title: 'Name' },
      where: 'contains(lower("terminalName"), lower(?::varchar))',
    },
    { name: 'type', title: 'Type', where: 'type = ?', choices: ['CARD', 'ACH'] },
  ],
  sorts: {
    terminalId: 'bigint',
    terminalName: 'varchar',
    settlements: 'bigint',
    off: 'bigint',
    difference: 'decimal(38, 2)',
  },
  sortedBy: '-difference',
}

const COLUMNS: readonly Column[] = [
  {
    ...{ name: 'terminalId', title: 'Terminal' },
    link: ({ terminalId }) => `/terminals/${terminalId}`,
  },
  { name: 'terminalName', title: 'Name' },
  { name: 'type', title: 'Type', isWide: true },
  { name: 'settlements', title: 'Settlements', as: 'count' },
  { name: 'off', title: 'With a difference', as: 'count' },
  { name: 'difference', title: 'Differences, gross', as: 'off' },
]

const DAYS: readonly Column[] = [
  { name: 'businessDate', title: 'Business day' },
  { name: 'settlements', title: 'Settlements', as: 'count' },
  { name: 'reported', title: 'Reported', as: 'money' },
  { name: 'computed', title: 'Computed', as: 'money' },
  { name: 'gross', title: 'Differences, gross', as: 'off' },
  { name: 'notJudgedNet', title: 'Reported, not judged', as: 'money', isWide: true },
]
const OPEN: readonly Column[] = [
  { name: 'code', title: 'Code', link: ({ exceptionId }) => `/exceptions/${exceptionId}` },
  { name: 'subjectId', title: 'Item', link: (row) => subjectAddress(row) },
  { name: 'amount', title: 'Amount', as: 'off' },
  { name: 'ageDays', title: 'Days', as: 'count' },
  { name: 'state', title: 'State in the pack' },
]
const BUCKETS: readonly Column[] = [
  { name: 'bucket', title: 'Days open' },
  { name: 'transactions', title: 'Transactions', as: 'count' },
  { name: 'amount', title: 'Amount', as: 'money' },
]

/** Adds the list and the page of a terminal. */
export function addTerminals(app: App, console: Console): void {
  addList(app, console, {
    ...{ title: 'Terminals', caption: 'Terminals with the totals of the newest run' },
    ...{ spec: TERMINALS, columns: COLUMNS },
  })
  app.get('/terminals/:id{[0-9]{1,19}}', async (context) => {
    const id = context.req.param('id')
    const data = await readTerminal(console, id)
    if (data === undefined) {
      return errorPage(context, console, { status: 404, message: `No terminal ${id} is known.` })
    }
    return context.html(
      <Terminal {...pageOf(context, console)} title={`Terminal ${id}`} {...{ id, data }} />,
    )
  })
}

interface TerminalData {
  terminal: Cells
  days: readonly Cells[]
  open: readonly Cells[]
  /** Transactions that are not settled, by age. */
  buckets: readonly Cells[]
}

async function readTerminal(
  { reader, settings }: Console,
  id: string,
): Promise<TerminalData | undefined> {
  const values = [settings.account, id]
  const read = (sql: string) => reader.rows({ sql, values })
  const [terminal] = await read(
    'select * from terminals where account = $1 and "terminalId" = try_cast($2 as bigint)',
  )
  if (terminal === undefined) return undefined
  const days = await read(`select "businessDate", count(*) as settlements,
      coalesce(sum("reportedNet") filter (${IS_JUDGED}), 0.00) as reported,
      coalesce(sum("computedNet") filter (${IS_JUDGED}), 0.00) as computed,
      coalesce(sum(abs(difference)) filter (${IS_JUDGED}), 0.00) as gross,
      coalesce(sum("reportedNet") filter (not ${IS_JUDGED}), 0.00) as "notJudgedNet"
    from settlements where account = $1 and "terminalId" = $2::bigint group by all order by all desc`)
  const open =
    await read(`select "exceptionId", code, "subjectType", "subjectId", amount, "ageDays", state from exceptions
    where account = $1 and "terminalId" = $2::bigint and state in ('OPEN', 'ASSIGNED') order by abs(amount) desc`)
  const buckets =
    await read(`select bucket, count(*) as transactions, sum("signedAmount") as amount,
      coalesce(sum("amountTotal") filter (action = 'CHARGE'), 0) as "chargeAmount",
      coalesce(sum("amountTotal") filter (action = 'REFUND'), 0) as "refundAmount"
    from unsettled where account = $1 and "terminalId" = $2::bigint group by bucket
    order by try_cast(regexp_extract(bucket, '[0-9]+') as integer)`)
  return { terminal, days, open, buckets }
}

const Terminal: FC<InPage & { id: string; data: TerminalData }> = ({
  id,
  data: { terminal, days, open, buckets },
  ...page
}) => (
  <Page {...page} at="/terminals">
    <Facts
      facts={[
        ['Name', terminal['terminalName']],
        ['Type', terminal['type']],
        ['Merchant number', terminal['merchantNumber']],
        ['Company', terminal['companyDba']],
        ['Versions seen', terminal['versions']],
      ]}
    />
    <p>
      <Link href={`/settlements?terminal=${id}`}>Its settlements</Link> ·{' '}
      <Link href={`/transactions?terminal=${id}`}>Its transactions</Link>
    </p>
    <h2>Totals by day</h2>
    <Table caption="Totals by business day" columns={DAYS} rows={days} />
    <h2>Not settled yet</h2>
    {buckets.length === 0 ? (
      <p class="note">Nothing.</p>
    ) : (
      <>
        {raw(chart(ageing(buckets)).join(''))}
        <Table
          caption="Transactions that are not settled, by age"
          columns={BUCKETS}
          rows={buckets}
        />
      </>
    )}
    <h2>Open items</h2>
    <Table caption="Open exceptions" columns={OPEN} rows={open} empty="None." />
  </Page>
)
