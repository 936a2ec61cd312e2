/** The first page of a console of several accounts: how each stands, and the way to its pages. */
import type { FC } from 'hono/jsx'
import type { Settings } from '../../domain/settings.ts'
import { KINDS } from '../../reports/pack/summary-words.ts'
import type { App, Console } from '../parts/console.tsx'
import { type Column, type InPage, Page, Table } from '../parts/frame.tsx'
import { addressIn, branchOf, ONLY } from '../parts/link.tsx'
import type { Cells } from '../parts/reader.ts'

const ACCOUNTS: readonly Column[] = [
  { name: 'account', title: 'Account', link: ({ address }) => address ?? undefined },
  { name: 'settlements', title: 'Settlements', as: 'count', isWide: true },
  { name: 'breaks', title: 'With a break', as: 'count' },
  { name: 'items', title: 'Items that need a person', as: 'count' },
  { name: 'differenceGross', title: 'Differences, gross', as: 'money' },
  { name: 'otherGross', title: 'Other amounts', as: 'money' },
  { name: 'currency', title: 'Currency' },
  { name: 'publishedAt', title: 'Newest pack, UTC', as: 'instant' },
  { name: 'endedAt', title: 'Newest sweep, UTC', as: 'instant' },
]

const STANDS = `with verdicts as (
    select account, count(*) as settlements, count(*) filter (verdict = 'BREAK') as breaks from settlements group by account),
  mismatches as (select account, "subjectType", "subjectId", abs(amount) as difference from exceptions
    where code = 'AMOUNT_MISMATCH' and state in ('OPEN', 'ASSIGNED')),
  items as (select account, count(*) as items, sum(difference) as "differenceGross",
      sum(abs(worklist.amount)) filter (difference is null) as "otherGross"
    from worklist left join mismatches using (account, "subjectType", "subjectId") group by account),
  packs as (select account, max("publishedAt") as "publishedAt" from publications group by account),
  ends as (select account, max("endedAt") as "endedAt" from sweeps group by account)
  from ends full join packs using (account) full join verdicts using (account) full join items using (account)`

/** Adds the page. */
export function addAccounts(
  app: App,
  {
    consoles,
    troubled,
  }: { consoles: readonly [Console, ...Console[]]; troubled: readonly Settings[] },
): void {
  const [{ reader }] = consoles
  app.get('/', async (context) => {
    const stands = await reader.rows({ sql: STANDS })
    const rows = consoles.map(({ settings: { account, currency } }): Cells => ({
      ...stands.find((one) => one['account'] === account),
      ...{ account, currency, address: addressIn(branchOf(account), '/') },
    }))
    const page = { person: context.get('person'), branch: ONLY, account: '' }
    return context.html(<Accounts {...page} title="Accounts" {...{ rows, troubled }} />)
  })
}

const Accounts: FC<InPage & { rows: readonly Cells[]; troubled: readonly Settings[] }> = ({
  rows,
  troubled,
  ...page
}) => (
  <Page {...page} at="/">
    <Table caption="Accounts of the config file" columns={ACCOUNTS} rows={rows} />
    <p class="note">{KINDS}</p>
    {troubled.map(({ account, trouble }) => (
      <p class="message bad">{`${account} has no pages, because its settings have a fault: ${trouble?.message ?? ''}`}</p>
    ))}
  </Page>
)
