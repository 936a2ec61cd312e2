/** Transactions: found by id, invoice number, purchase order, last four digits or amount, with where each stands. */
import type { Child } from 'hono/jsx'
import { actorOf, backOf, commandLine, flagOf, perform } from '../parts/acts.tsx'
import { addList, type App, type Console } from '../parts/console.tsx'
import { wordsOf } from '../../domain/decision-words.ts'
import { refuseDecided } from '../parts/earlier-acts.ts'
import { Failure } from '../../domain/failure.ts'
import type { Column } from '../parts/frame.tsx'
import { Link } from '../parts/link.tsx'
import type { Listed, ListSpec } from '../parts/listing.ts'
import { AMOUNT, DAY, ID } from '../parts/fields.ts'

const TRANSACTIONS: ListSpec = {
  path: '/transactions',
  from: `select transactions.*, attributions."settlementId" as "foundIn", attributions.method as "foundBy",
      unsettled.bucket as "openFor",
      case
        when attributions."settlementId" is not null then 'in settlement ' || attributions."settlementId"
        when unsettled."transactionId" is not null then 'not settled, open for ' || unsettled.bucket || ' days'
        when transactions.settled then 'settled, outside of the newest range or in no settlement'
        when transactions.approved is false then 'declined: it moves no money'
        when transactions.status = 'VOID' then 'void: it moves no money'
        else 'not settled'
      end as stands
    from transactions
      left join attributions using (account, "transactionId")
      left join unsettled using (account, "transactionId")`,
  id: 'transactionId',
  filters: [
    { name: 'id', title: 'Id', where: '"transactionId" = ?::bigint', read: ID },
    { name: 'invoice', title: 'Invoice number', where: '"invoiceNumber" = ?' },
    { name: 'order', title: 'Purchase order', where: '"purchaseOrderNumber" = ?' },
    { name: 'lastFour', title: 'Last four digits', where: '"lastFour" = ?' },
    {
      ...{ name: 'amount', title: 'Amount', input: 'number', read: AMOUNT },
      where: '"amountTotal" = abs(?::decimal(18, 2))',
    },
    { name: 'terminal', title: 'Terminal', where: '"terminalId" = ?::bigint', read: ID },
    {
      ...{ name: 'from', title: 'From, UTC', input: 'date', read: DAY },
      where: 'created >= ?::timestamp',
    },
    {
      ...{ name: 'to', title: 'Before, UTC', input: 'date', read: DAY },
      where: 'created < ?::timestamp',
    },
  ],
  sorts: { transactionId: 'bigint', created: 'timestamp', amountTotal: 'decimal(18, 2)' },
  sortedBy: '-created',
}

const COLUMNS: readonly Column[] = [
  { name: 'transactionId', title: 'Transaction' },
  { name: 'created', title: 'Created, UTC', as: 'instant' },
  { name: 'action', title: 'Action' },
  { name: 'status', title: 'Status', isWide: true },
  { name: 'amountTotal', title: 'Amount', as: 'money' },
  {
    ...{ name: 'stands', title: 'Where it stands' },
    link: ({ foundIn }) => (foundIn === null ? undefined : `/settlements/${foundIn}`),
  },
  { name: 'foundBy', title: 'Found by', isWide: true },
  {
    ...{ name: 'terminalId', title: 'Terminal', isWide: true },
    link: ({ terminalId }) => `/terminals/${terminalId}`,
  },
  { name: 'invoiceNumber', title: 'Invoice', isWide: true },
  { name: 'purchaseOrderNumber', title: 'Order', isWide: true },
  { name: 'lastFour', title: 'Last four', isWide: true },
]

const PLACED = `select "settlementId", "runId" from every_run.attributions join publications using (account, "runId")
  where account = $1 and "transactionId" = $2::bigint order by "publishedAt" desc`

/** The settlement in which an earlier pack has a transaction that lies outside of the newest range. */
async function earlierPlace({ reader, settings }: Console, { rows, set }: Listed): Promise<Child> {
  const [found] = rows
  if (set['id'] === undefined || found?.['foundIn'] !== null) return null
  const place = await reader.row({ sql: PLACED, values: [settings.account, set['id']] })
  if (place === undefined) return null
  const { settlementId, runId } = place
  return (
    <p class="note">
      {'In pack '}
      <Link href={`/packs/${runId}`}>{runId}</Link>
      {` the transaction ${set['id']} is in settlement `}
      <Link href={`/settlements/${settlementId}`}>{settlementId}</Link>.
    </p>
  )
}

/** Adds the list, and the decision about the settlement of a transaction. */
export function addTransactions(app: App, console: Console): void {
  addList(app, console, {
    ...{ title: 'Transactions', caption: 'Transactions, newest first' },
    ...{ spec: TRANSACTIONS, columns: COLUMNS, remark: (listed) => earlierPlace(console, listed) },
  })
  app.post('/attribute', (context) =>
    perform(context, console, async (form) => {
      const { account } = console.settings
      const transactionId = form.text('transactionId')
      const settlement = form.text('settlement')
      for (const id of [transactionId, ...(/^(none|undo)$/.test(settlement) ? [] : [settlement])]) {
        if (ID(id) === undefined) throw new Failure('usage', `${id} is not an id`)
      }
      await refuseDecided(console.reader, { account, subjects: [transactionId], form })
      const reason = wordsOf('--reason', form.text('reason'))
      const common = { account, actor: actorOf(context), reason, transactionId }
      const isUndo = settlement === 'undo'
      const flags = isUndo ? ['--undo'] : ['--to', settlement]
      return {
        act: isUndo
          ? { ...common, kind: 'transaction.release' }
          : { ...common, kind: 'transaction.attribute', settlement },
        line: commandLine('attribute', transactionId, ...flags, ...flagOf('--reason', reason)),
        back: backOf(form),
      }
    }),
  )
}
