/** The queue of exceptions: its filter, its order, its table and its CSV. */
import type { FC } from 'hono/jsx'
import type { FilterFlags } from '../../cli/decide/exceptions/filter-flags.ts'
import { EXCEPTIONS } from '../../domain/exceptions.ts'
import { Failure } from '../../domain/failure.ts'
import { sizeOf } from '../../queries/exception-totals.ts'
import type { ListedException } from '../../queries/list-exceptions.ts'
import { ActForm, type Column, FilterForm, Page, type InPage, Table } from '../parts/frame.tsx'
import { ID } from '../parts/fields.ts'
import { LABELS } from '../parts/labels.ts'
import { Link } from '../parts/link.tsx'
import { addressOf, type Query } from '../parts/listing.ts'
import type { Cells } from '../parts/reader.ts'
import { Decision } from './exception-decision.tsx'
import { subjectAddress } from '../parts/subject-address.ts'

const STATES = ['open', 'assigned', 'waived', 'resolved', 'all']
const SORTS: Readonly<Record<string, (row: ListedException) => bigint | number | string>> = {
  amount: sizeOf,
  age: ({ ageDays }) => ageDays ?? 0,
  code: ({ code }) => code,
  assignee: ({ assignee }) => assignee ?? '',
}

/** The query of the page as the flags of `exceptions list`. Throws usage for an id that is none. */
export function flagsOf(query: Query): FilterFlags {
  const given = (name: string) => (query[name]?.trim() === '' ? undefined : query[name]?.trim())
  for (const name of ['terminal', 'settlement']) {
    const text = given(name)
    if (text === undefined || ID(text) !== undefined) continue
    throw new Failure('usage', `${text} is not the number of a ${name}`)
  }
  const flags = {
    ...{ code: given('code'), severity: given('severity'), state: given('state') },
    ...{
      terminal: given('terminal'),
      settlement: given('settlement'),
      assignee: given('assignee'),
    },
    ...{ leastAmount: given('least'), leastAge: given('age') },
  }
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}

export function sorted(rows: ListedException[], query: Query): ListedException[] {
  const text = query['sort'] ?? '-amount'
  const name = text.replace(/^-/, '')
  const keyOf = Object.hasOwn(SORTS, name) ? SORTS[name] : undefined
  if (keyOf === undefined) return rows
  const sign = text.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    return one === other ? 0 : sign * (one < other ? -1 : 1)
  })
}

/**
 * The rows of a page: those after the last one of the page before. If that one is not in the queue any more, the first
 * rows come again, so that none is passed over.
 */
export function pageOfQueue(rows: readonly ListedException[], after: string | undefined) {
  const start = rows.findIndex(({ exceptionId }) => exceptionId === after) + 1
  const shown = rows.slice(start, start + SHOWN)
  const next = start + SHOWN < rows.length ? shown.at(-1)?.exceptionId : undefined
  return { start, shown, next }
}

export const CSV_COLUMNS = [
  ...['exceptionId', 'code', 'severity', 'certainty', 'subjectType', 'subjectId', 'terminalId'],
  ...['terminalName', 'amount', 'ageDays', 'state', 'stateBy', 'stateReason', 'assignee', 'cause'],
]

export const cellsOf = (rows: readonly ListedException[]): Cells[] =>
  rows.map((row) => ({ ...row, ageDays: row.ageDays === null ? null : String(row.ageDays) }))

const COLUMNS: readonly Column[] = [
  { name: 'code', title: 'Code', link: ({ exceptionId }) => `/exceptions/${exceptionId}` },
  { name: 'severity', title: 'Severity', as: 'word', isWide: true },
  { name: 'subjectId', title: 'Item', link: (row) => subjectAddress(row) },
  { name: 'terminalName', title: 'Terminal', isWide: true },
  { name: 'amount', title: 'Amount', as: 'off' },
  { name: 'ageDays', title: 'Days', as: 'count' },
  { name: 'cause', title: 'Likely cause', isWide: true },
  { name: 'state', title: 'State' },
  { name: 'assignee', title: 'Assigned to' },
]

/** The most rows of a page; the CSV has all. */
const SHOWN = 200

export const Queue: FC<
  InPage & {
    rows: readonly ListedException[]
    /** The line of totals. */
    totals: string
    query: Query
    seen: string
  }
> = ({ rows, totals, query: { after, ...query }, seen, ...page }) => {
  const { start, shown, next } = pageOfQueue(rows, after)
  const table = (
    <Table
      caption="Exceptions"
      columns={COLUMNS}
      rows={cellsOf(shown)}
      empty="Nothing matches."
      sortLink={(column) => sortLink(column, query)}
      {...(page.person.role === 'viewer' ? {} : { lead: Box, leadHead: <AllBoxes /> })}
    />
  )
  return (
    <Page {...page} at="/exceptions">
      <Filter query={query} />
      <p class="note">
        {`${totals}.`}
        {rows.length > SHOWN ? ` Here are ${start + 1} to ${start + shown.length}.` : ''}
      </p>
      {page.person.role === 'viewer' || rows.length === 0 ? (
        table
      ) : (
        <ActForm action="/exceptions/decide" person={page.person} seen={seen} class="list">
          <input type="hidden" name="back" value={addressOf('/exceptions', { ...query, after })} />
          {/* Above the rows, so that a keyboard reaches it before six hundred links. */}
          <Decision />
          {table}
        </ActForm>
      )}
      <p class="pager">
        {start === 0 ? null : <Link href={addressOf('/exceptions', query)}>First page</Link>}
        {next === undefined ? null : (
          <Link href={addressOf('/exceptions', { ...query, after: next })} rel="next">
            Next page
          </Link>
        )}
        <Link href={addressOf('/exceptions.csv', query)}>Download as CSV</Link>
      </p>
    </Page>
  )
}

const Box = ({ exceptionId, code, subjectId }: Cells) => (
  <input
    type="checkbox"
    name="exceptionId"
    value={exceptionId ?? ''}
    aria-label={`${code} of ${subjectId}`}
  />
)

/** Ticks all boxes of the page. Only a script can, and shows it then. */
const AllBoxes: FC = () => (
  <input type="checkbox" data-all="exceptionId" aria-label="All rows of this page" hidden />
)

function sortLink({ name }: Column, query: Query) {
  const key = { amount: 'amount', ageDays: 'age', code: 'code', assignee: 'assignee' }[name]
  if (key === undefined) return undefined
  const now = query['sort'] ?? '-amount'
  const order = now === key ? 'ascending' : now === `-${key}` ? 'descending' : 'none'
  const sort = now === `-${key}` ? key : `-${key}`
  return { href: addressOf('/exceptions', { ...query, sort }), order } as const
}

const Filter: FC<{ query: Query }> = ({ query }) => (
  <FilterForm path="/exceptions">
    <Choice name="code" title="Code" choices={Object.keys(EXCEPTIONS)} query={query} />
    <Choice name="severity" title="Severity" choices={['error', 'warning']} query={query} />
    <Choice name="state" title="State" choices={STATES} query={query} />
    {[
      ['terminal', 'Terminal'],
      ['settlement', 'Settlement'],
      ['assignee', 'Assigned to'],
      ['least', LABELS.least],
      ['age', LABELS.age],
    ].map(([name = '', title]) => (
      <label>
        {title}
        <input name={name} value={query[name] ?? ''} />
      </label>
    ))}
    <button type="submit">Show</button>
    <Link href="/exceptions">Show all</Link>
  </FilterForm>
)

const Choice: FC<{ name: string; title: string; choices: readonly string[]; query: Query }> = ({
  name,
  title,
  choices,
  query,
}) => (
  <label>
    {title}
    <select name={name}>
      <option value="">{name === 'state' ? 'open, assigned' : 'any'}</option>
      {choices.map((choice) => (
        <option value={choice} selected={query[name] === choice}>
          {choice}
        </option>
      ))}
    </select>
  </label>
)
