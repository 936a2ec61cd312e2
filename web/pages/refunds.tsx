/** The refund ceiling: refunds of the newest run, and a card's charges and refunds over its twelve months. */
import { raw } from 'hono/html'
import { grouped } from '../../domain/cents.ts'
import { chart } from '../../reports/page/chart.ts'
import { addList, type App, type Console, errorPage, pageOf } from '../parts/console.tsx'
import { type Column, Facts, instant, Page, Table } from '../parts/frame.tsx'
import type { ListSpec } from '../parts/listing.ts'
import { refundPicture } from './refund-picture.ts'
import { ID } from '../parts/fields.ts'

const REFUNDS: ListSpec = {
  path: '/refunds',
  from: `select refund_ceiling.*, exceptions.amount as "overBy" from refund_ceiling
    left join exceptions on exceptions.account = refund_ceiling.account and exceptions.code = 'REFUND_CEILING_BREACH'
      and exceptions."subjectId" = refund_ceiling."transactionId"::varchar`,
  id: 'transactionId',
  filters: [
    {
      ...{ name: 'certainty', title: 'Certainty', where: 'certainty = ?' },
      choices: ['CERTAIN', 'SUSPECTED', 'INSUFFICIENT_HISTORY'],
    },
    { name: 'id', title: 'Refund', where: '"transactionId" = ?::bigint', read: ID },
    { name: 'terminal', title: 'Terminal', where: '"terminalId" = ?::bigint', read: ID },
  ],
  sorts: {
    transactionId: 'bigint',
    created: 'timestamp',
    refundAmount: 'decimal(18, 2)',
    overBy: 'decimal(18, 2)',
  },
  sortedBy: '-overBy',
}

const COLUMNS: readonly Column[] = [
  {
    ...{ name: 'transactionId', title: 'Refund' },
    link: ({ transactionId }) => `/refunds/${transactionId}`,
  },
  { name: 'created', title: 'Created, UTC', as: 'instant', isWide: true },
  { name: 'refundAmount', title: 'Refund', as: 'money' },
  { name: 'refundedBefore', title: 'Refunded before', as: 'money', isWide: true },
  { name: 'chargedFine', title: 'Charged to this cardholder', as: 'money' },
  { name: 'chargedCoarse', title: 'Charged to cards with these digits', as: 'money' },
  { name: 'overBy', title: 'Over the ceiling by', as: 'off' },
  { name: 'certainty', title: 'Certainty', as: 'word' },
]

/** The movements of the card in the twelve months before the refund, known by the hash of its pack. */
const MOVEMENTS = `select transactions."transactionId", transactions.created, action, transactions."amountTotal", transactions."terminalId"
  from transactions join refund_ceiling as refund on refund.account = transactions.account
  where refund.account = $1 and refund."transactionId" = $2::bigint
    and transactions."lastFour" is not distinct from (
      select "lastFour" from transactions where account = $1 and "transactionId" = $2::bigint)
    and transactions."accountType" is not distinct from (
      select "accountType" from transactions where account = $1 and "transactionId" = $2::bigint)
    and transactions."lastFour" is not null
    and action in ('CHARGE', 'REFUND') and status <> 'VOID' and approved
    and transactions.created between refund.created - interval 12 month and refund.created
  order by transactions.created desc, transactions."transactionId" desc`

const MOVEMENT: readonly Column[] = [
  { name: 'created', title: 'Created, UTC', as: 'instant' },
  {
    ...{ name: 'transactionId', title: 'Transaction' },
    link: ({ transactionId }) => `/transactions?id=${transactionId}`,
  },
  { name: 'action', title: 'Action' },
  { name: 'amountTotal', title: 'Amount', as: 'money' },
  { name: 'terminalId', title: 'Terminal', isWide: true },
]

/** Adds the list and the page of a refund. */
export function addRefunds(app: App, console: Console): void {
  addList(app, console, {
    ...{ title: 'Refunds', caption: 'Refunds of the newest run' },
    scope:
      'Refunds of the range of the newest run that charges may not cover. REFUND_CEILING_BREACH of all dates stand under Exceptions.',
    ...{ spec: REFUNDS, columns: COLUMNS },
  })
  app.get('/refunds/:id{[0-9]{1,19}}', async (context) => {
    const id = context.req.param('id')
    const values = [console.settings.account, id]
    const refund = await console.reader.row({
      sql: `select * from (${REFUNDS.from}) where account = $1 and "transactionId" = try_cast($2 as bigint)`,
      values,
    })
    if (refund === undefined) {
      return errorPage(context, console, {
        status: 404,
        message: `The newest run has no refund ${id}.`,
      })
    }
    const movements = (await console.reader.rows({ sql: MOVEMENTS, values })).toReversed()
    const amount = (name: string) => grouped(refund[name] ?? '')
    return context.html(
      <Page {...pageOf(context, console)} title={`Refund ${id}`} at="/refunds">
        <Facts
          facts={[
            ['Certainty', refund['certainty']],
            ['Refund', amount('refundAmount')],
            ['Refunded before', amount('refundedBefore')],
            ['Charged to cards with these digits', amount('chargedCoarse')],
            ['Charged to this cardholder', amount('chargedFine')],
            ['Over the ceiling by', amount('overBy')],
            ['Created, UTC', instant(refund['created'] ?? '')],
            ['History from, UTC', instant(refund['historyFrom'] ?? '')],
          ]}
        />
        {movements.length === 0 ? null : raw(chart(refundPicture(id, movements)).join(''))}
        <p class="note">
          Charges and refunds of cards with the same last four digits and type, in the twelve months
          before. Several cardholders may share them.
        </p>
        <Table
          caption="Charges and refunds of the twelve months"
          columns={MOVEMENT}
          rows={movements}
        />
      </Page>,
    )
  })
}
