/** One settlement: all that `tieout explain` says, with its picture. */
import type { FC } from 'hono/jsx'
import { raw } from 'hono/html'
import { newestAct } from '../parts/earlier-acts.ts'
import { explainOn } from '../../queries/explain-settlement.ts'
import type { Explanation } from '../../queries/explanation.ts'
import { chart } from '../../reports/page/chart.ts'
import { waterfall } from '../../reports/page/waterfall.ts'
import { commandLine } from '../parts/acts.tsx'
import { type App, type Console, pageOf } from '../parts/console.tsx'
import { ActForm, type Column, CommandLine, Page, type InPage, Table } from '../parts/frame.tsx'
import type { Cells } from '../parts/reader.ts'
import { SettlementHead } from '../parts/settlement-head.tsx'
import { CutOff, Observed } from '../parts/settlement-cut-off.tsx'
import { rowsOf, settlementLink } from '../parts/settlement-rows.ts'

const VERSIONS = `select version, status, "reportedNet", "previousStatus", change, "observedAt" from settlement_versions
  where account = $1 and "settlementId" = $2::bigint order by version`
const ENTRIES = `select "entryId", date, "ledgerAccountName", debit, credit, memo from journal
  where account = $1 and "settlementId" = $2::bigint order by "entryId", debit desc nulls last`
const EXCEPTIONS = `select "exceptionId", code, severity, amount, state, assignee, detail from exceptions
  where account = $1 and (("subjectType" = 'settlement' and "subjectId" = $2)
    or ("subjectType" = 'transaction' and "subjectId" in (
      select "transactionId"::varchar from attributions where account = $1 and "settlementId" = $2::bigint)))
  order by severity, code`

/** Adds the page of a settlement. */
export function addSettlement(app: App, console: Console): void {
  app.get('/settlements/:id{[0-9]{1,19}}', async (context) => {
    const settlementId = String(BigInt(context.req.param('id')))
    const { settings, reader, say } = console
    const values = [settings.account, settlementId]
    const seen = await newestAct(reader, settings.account)
    const explanation = await reader.query(`settlement ${settlementId}`, (_connection, lake) =>
      explainOn(lake, { settings, settlementId }, say),
    )
    const data = {
      ...{ explanation, seen },
      versions: await reader.rows({ sql: VERSIONS, values }),
      entries: await reader.rows({ sql: ENTRIES, values }),
      exceptions: await reader.rows({ sql: EXCEPTIONS, values }),
    }
    return context.html(
      <Settlement {...pageOf(context, console)} title={`Settlement ${settlementId}`} data={data} />,
    )
  })
}

interface SettlementData {
  /** The newest act that the page knew. */
  seen: string
  explanation: Explanation
  versions: Cells[]
  entries: Cells[]
  exceptions: Cells[]
}

const Settlement: FC<InPage & { data: SettlementData }> = ({
  data: { explanation, seen, versions, entries, exceptions },
  ...page
}) => (
  <Page {...page} at="/settlements">
    <SettlementHead explanation={explanation} />
    {raw(pictureOf(explanation))}
    <h2>Parts of the difference</h2>
    <Parts parts={explanation.parts} />
    {explanation.candidates === '' ? null : (
      <p class="note">{`Single causes that would account for it, none of them certain: ${explanation.candidates}`}</p>
    )}
    <h2>Exceptions</h2>
    <Table
      caption="Exceptions of this settlement and its transactions"
      columns={CODES}
      rows={exceptions}
      empty="None."
    />
    <h2>Cut-off</h2>
    <CutOff explanation={explanation} />
    <h2>Transactions</h2>
    <p class="note">
      Members, and other transactions of the terminal within six hours of either cut-off, in the
      order of the terminal's clock.
    </p>
    <Table
      caption="Transactions of the settlement and around it"
      columns={MEMBERS}
      rows={memberRows(explanation)}
      limit={Infinity}
    />
    <Attribute seen={seen} explanation={explanation} {...page} />
    <h2>Journal entries in the range of the newest run</h2>
    <Table
      caption="Journal entries in the range of the newest run; packs of other months may have more"
      columns={ENTRY}
      rows={entries}
      empty="None in the range of the newest run."
    />
    <Observed explanation={explanation} />
    <h2>Versions seen</h2>
    <Table caption="Each version that a sweep has read" columns={VERSION} rows={versions} />
    <CommandLine line={commandLine('explain', explanation.settlementId)} />
  </Page>
)

/** Assigns a transaction to this settlement, or takes it out. */
const Attribute: FC<Omit<InPage, 'title'> & { explanation: Explanation; seen: string }> = ({
  explanation: { settlementId },
  person,
  seen,
}) =>
  person.role === 'viewer' ? null : (
    <ActForm action="/attribute" person={person} seen={seen}>
      <label>
        Transaction
        <input name="transactionId" inputmode="numeric" pattern="[0-9]+" required />
      </label>
      <label>
        Belongs to
        <select name="settlement">
          <option value={settlementId}>this settlement</option>
          <option value="none">no settlement</option>
          <option value="undo">what the evidence says</option>
        </select>
      </label>
      <input type="hidden" name="back" value={`/settlements/${settlementId}`} />
      <label>
        Reason
        <input name="reason" maxlength={200} required />
      </label>
      <button type="submit">Attribute</button>
    </ActForm>
  )

const PARTS: readonly Column[] = [
  { name: 'name', title: 'Part' },
  { name: 'amount', title: 'Amount', as: 'off' },
  { name: 'transactions', title: 'Transactions' },
  { name: 'otherSettlement', title: 'Other settlement', link: (row) => settlementLink(row) },
]
const CODES: readonly Column[] = [
  {
    ...{ name: 'code', title: 'Code' },
    link: ({ exceptionId }) => `/exceptions/${exceptionId}`,
  },
  { name: 'severity', title: 'Severity', as: 'word' },
  { name: 'amount', title: 'Amount', as: 'money' },
  { name: 'state', title: 'State in the pack' },
  { name: 'assignee', title: 'Assigned to', isWide: true },
  { name: 'detail', title: 'Detail' },
]
const MEMBERS: readonly Column[] = [
  {
    ...{ name: 'transactionId', title: 'Transaction' },
    link: ({ transactionId }) => `/transactions?id=${transactionId}`,
  },
  { name: 'created', title: 'Created, UTC', as: 'instant' },
  { name: 'action', title: 'Action' },
  { name: 'status', title: 'Status', isWide: true },
  { name: 'signedAmount', title: 'Amount', as: 'money' },
  { name: 'member', title: 'In it' },
  { name: 'lies', title: 'Position', isWide: true },
  { name: 'note', title: 'Remark', isWide: true },
]
const ENTRY: readonly Column[] = [
  { name: 'entryId', title: 'Entry' },
  { name: 'date', title: 'Date' },
  { name: 'ledgerAccountName', title: 'Account' },
  { name: 'debit', title: 'Debit', as: 'money' },
  { name: 'credit', title: 'Credit', as: 'money' },
  { name: 'memo', title: 'Memo', isWide: true },
]
const VERSION: readonly Column[] = [
  { name: 'version', title: 'Version', as: 'count' },
  { name: 'observedAt', title: 'Seen at, UTC', as: 'instant' },
  { name: 'status', title: 'Status' },
  { name: 'reportedNet', title: 'Reported', as: 'money' },
  { name: 'change', title: 'Change', as: 'off' },
]

const memberRows = ({ transactions }: Explanation): Cells[] =>
  transactions.map(({ inside, ...transaction }) => ({
    ...rowsOf([transaction])[0],
    member: inside ? 'yes' : '',
  }))

/** Moved transactions are in both nets, so that they are no part of the difference. */
const isMove = (name: string) => name.startsWith('moved ')

/** The picture of the pack's page: from the reported net to the computed one. */
function pictureOf(explanation: Explanation): string {
  const { parts, transactions, settlementId, reportedNet, computedNet, unexplainedAmount } =
    explanation
  const actions = new Map(transactions.map(({ transactionId, action }) => [transactionId, action]))
  const steps = parts
    .filter(({ name }) => name !== 'unexplained' && !isMove(name))
    .map(({ amount, transactions: named }) => {
      const ids = named.split(';').filter((id) => id !== '')
      return {
        effect: amount,
        transactions: String(ids.length),
        transactionId: ids.length === 1 ? (ids[0] ?? null) : null,
        action: actions.get(ids[0] ?? '') ?? null,
      }
    })
  if (steps.length === 0) return ''
  const settlement = { settlementId, reportedNet, computedNet, unexplainedAmount }
  return chart(waterfall(settlement, steps)).join('')
}

const Parts: FC<Pick<Explanation, 'parts'>> = ({ parts }) => {
  const moved = rowsOf(parts.filter(({ name }) => isMove(name)))
  const others = rowsOf(parts.filter(({ name }) => !isMove(name)))
  return (
    <>
      <Table
        caption="Parts of the difference"
        columns={PARTS}
        rows={others}
        empty="There is no difference."
      />
      {moved.length === 0 ? null : (
        <>
          <h2>Moved transactions</h2>
          <Table caption="Transactions moved by a late capture" columns={PARTS} rows={moved} />
        </>
      )}
    </>
  )
}
