/** The frame of every page: head, navigation, and the parts that pages share. */
import { type Child, type FC, useContext } from 'hono/jsx'
import { raw } from 'hono/html'
import { grouped } from '../../domain/cents.ts'
import { readable, word } from '../../reports/page/html.ts'
import type { Person } from './guard.ts'
import { type Branch, BranchContext, Link, useAddress } from './link.tsx'
import { type Cells, MOST_ROWS } from './reader.ts'

const PAGES = [
  ['/', 'Today'],
  ['/settlements', 'Settlements'],
  ['/transactions', 'Transactions'],
  ['/exceptions', 'Exceptions'],
  ['/terminals', 'Terminals'],
  ['/refunds', 'Refunds'],
  ['/packs', 'Packs'],
  ['/periods', 'Periods'],
  ['/runs', 'Runs'],
] as const

export interface PageProps {
  title: string
  account: string
  branch: Branch
  person: Person
  /** The path of the navigation entry that is this page or its parent. */
  at: string
  children?: Child
}

/** All that a page gets from its request, apart from its place in the navigation and its content. */
export type InPage = Omit<PageProps, 'at' | 'children'>

/** The page of all accounts has no navigation of its own. */
const pagesOf = (account: string) => (account === '' ? [] : PAGES)

/** A whole page. */
export const Page: FC<PageProps> = ({ title, account, branch, person, at, children }) => (
  <BranchContext.Provider value={branch}>
    {raw('<!doctype html>')}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="htmx-config" content='{"includeIndicatorStyles":false,"allowEval":false}' />
        <title>{`${title} · ${account} · tieout`}</title>
        <link rel="stylesheet" href="/assets/page.css" />
        <link rel="stylesheet" href="/assets/console.css" />
        <script src="/assets/htmx.min.js" defer></script>
        <script src="/assets/console.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <p class="brand">
            <b>tieout</b> {account}
            {branch.base === '' ? null : <a href="/">All accounts</a>}
          </p>
          <nav aria-label="Pages">
            <ul>
              {pagesOf(account).map(([path, name]) => (
                <li>
                  <Link href={path} {...(path === at ? { 'aria-current': 'page' } : {})}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <p class="who">
            {person.name === '' ? 'without a name: look only' : `${person.name}, ${person.role}`}
          </p>
        </header>
        <main id="content">
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  </BranchContext.Provider>
)

/** A column of a table. `as` says how its cells are shown. */
export interface Column {
  name: string
  title: string
  as?: 'money' | 'off' | 'count' | 'word' | 'instant'
  /** The link of a cell. */
  link?: (row: Cells) => string | undefined
  /** A column that a narrow page can do without. */
  isWide?: boolean
}

const isFigure = ({ as }: Column) => as === 'money' || as === 'off' || as === 'count'

interface TableProps {
  caption: string
  columns: readonly Column[]
  rows: readonly Cells[]
  sortLink?: (
    column: Column,
  ) => { href: string; order: 'ascending' | 'descending' | 'none' } | undefined
  /** A cell before the others, such as a box to tick, and the cell in its heading. */
  lead?: (row: Cells) => Child
  leadHead?: Child
  /** The most rows that were read; as many rows get a note. */
  limit?: number
}

/** A table with a caption, or the sentence `empty` if there are no rows. `sortLink` gives links to the headings. */
export const Table: FC<TableProps & { empty?: string }> = ({ empty, ...table }) =>
  empty !== undefined && table.rows.length === 0 ? (
    <p class="note">{empty}</p>
  ) : (
    <Filled {...table} />
  )

const Filled: FC<TableProps> = ({
  caption,
  columns,
  rows,
  sortLink,
  lead,
  leadHead,
  limit = MOST_ROWS,
}) => (
  <div class="scroll" role="region" aria-label={caption} tabindex={0}>
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {lead === undefined ? null : (
            <th scope="col">
              <span class="hidden">Choose</span>
              {leadHead}
            </th>
          )}
          {columns.map((column) => {
            const sort = sortLink?.(column)
            return (
              <th
                scope="col"
                class={classOf(column)}
                {...(sort === undefined ? {} : { 'aria-sort': sort.order })}
              >
                {sort === undefined ? column.title : <Link href={sort.href}>{column.title}</Link>}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {lead === undefined ? null : <td>{lead(row)}</td>}
            {columns.map((column) => (
              <td class={classOf(column)} data-title={column.title}>
                <Cell column={column} row={row} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    {rows.length < limit ? null : (
      <p class="note">{`The first ${grouped(String(limit))} rows are shown; there may be more.`}</p>
    )}
  </div>
)

const classOf = (column: Column): string =>
  [isFigure(column) ? 'figure' : '', column.isWide === true ? 'wide' : ''].join(' ').trim()

const Cell: FC<{ column: Column; row: Cells }> = ({ column, row }) => {
  const shown = <Shown column={column} text={row[column.name] ?? ''} />
  const href = column.link?.(row)
  return href === undefined ? shown : <Link href={href}>{shown}</Link>
}

const Shown: FC<{ column: Column; text: string }> = ({ column: { as }, text }) => {
  if (as === 'money' || as === 'count') return <>{grouped(text)}</>
  if (as === 'off') return <span class={/[1-9]/.test(text) ? 'off' : ''}>{grouped(text)}</span>
  if (as === 'word') return <Word text={text} />
  if (as === 'instant') return <span class="whole">{instant(text)}</span>
  if (/^[\d:. -]{1,20}$/.test(text)) return <span class="whole">{text}</span>
  return <>{text}</>
}

/** An instant for reading, to the second. */
export const instant = (text: string): string => readable(text).replace(/\.\d+$/, '')

/** A status with its mark, as on the page of a pack. */
export const Word: FC<{ text: string }> = ({ text }) => <>{raw(word(text))}</>

/** The command line that does the same. */
export const CommandLine: FC<{ line: string }> = ({ line }) => (
  <p class="command">
    The same as a command: <code>{withFlags(line, useContext(BranchContext).accountFlags)}</code>
  </p>
)

const withFlags = (line: string, flags: readonly string[]): string =>
  line.replace(/\btieout\b/, ['tieout', ...flags].join(' '))

/**
 * A form that changes something; it works without a script. `seen` is the newest act of its page: a decision in the
 * same words on a later page is another one.
 */
export const ActForm: FC<{
  action: string
  person: Person
  seen?: string
  children?: Child
  class?: string
}> = ({ action, person, seen, children, ...more }) => (
  <form method="post" action={useAddress(action)} class={more.class ?? 'act'}>
    <input type="hidden" name="_token" value={person.formToken} />
    {seen === undefined ? null : <input type="hidden" name="seen" value={seen} />}
    {children}
  </form>
)

/** A form that changes the address of the page, and so the rows that it shows. */
export const FilterForm: FC<{ path: string; label?: string; children?: Child }> = ({
  path,
  label = 'Filter',
  children,
}) => (
  <form class="filter" method="get" action={useAddress(path)} aria-label={label}>
    {children}
  </form>
)

/** Facts as a list of terms. */
export const Facts: FC<{ facts: readonly (readonly [string, Child])[] }> = ({ facts }) => (
  <dl class="facts">
    {facts.map(([term, value]) => (
      <div>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The running work, which renews itself where scripts run. */
export const RunningWork: FC = () => (
  <>
    <h2>Running work</h2>
    <div hx-get={useAddress('/runs/now')} hx-trigger="load, every 2s">
      <p class="note">
        <Link href="/runs/now">Show running work</Link>
      </p>
    </div>
  </>
)
