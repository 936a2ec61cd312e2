/** A page with a filtered list. */
import type { Child, FC } from 'hono/jsx'
import { type Column, Page, type PageProps, Table } from './frame.tsx'
import { type Filter, type Listed, type ListSpec, sortAddress } from './listing.ts'
import type { Cells } from './reader.ts'

interface ListPageProps extends Omit<PageProps, 'children' | 'at'> {
  spec: ListSpec
  listed: Listed
  query: Readonly<Record<string, string | undefined>>
  columns: readonly Column[]
  caption: string
  lead?: (row: Cells) => Child
  /** Wraps the table, for example into a form. */
  around?: (table: Child) => Child
  above?: Child
}

export const ListPage: FC<ListPageProps> = ({ spec, listed, query, columns, caption, ...more }) => {
  const { lead, around = (table: Child) => table, above, ...page } = more
  const { rows, set, sort, next, first, csv } = listed
  const sortLink = ({ name }: Column) => {
    if (!Object.hasOwn(spec.sorts, name)) return undefined
    const order = sort.isDescending ? ('descending' as const) : ('ascending' as const)
    return {
      href: sortAddress(spec, query, name),
      order: sort.column === name ? order : ('none' as const),
    }
  }
  const table = (
    <Table {...{ caption, columns, rows, sortLink }} {...(lead === undefined ? {} : { lead })} />
  )
  return (
    <Page {...page} at={spec.path}>
      {above}
      <form class="filter" method="get" action={spec.path} aria-label="Filter">
        {spec.filters.map((filter) => (
          <FilterField filter={filter} value={set[filter.name] ?? ''} />
        ))}
        {query['sort'] === undefined ? null : (
          <input type="hidden" name="sort" value={query['sort']} />
        )}
        <button type="submit">Show</button>
        <a href={spec.path}>Show all</a>
      </form>
      {rows.length === 0 ? <p class="note">Nothing matches.</p> : around(table)}
      <p class="pager">
        {first === undefined ? null : <a href={first}>First page</a>}
        {next === undefined ? null : (
          <a href={next} rel="next">
            Next page
          </a>
        )}
        <a href={csv}>Download as CSV</a>
      </p>
    </Page>
  )
}

const FilterField: FC<{ filter: Filter; value: string }> = ({ filter, value }) => (
  <label>
    {filter.title}
    {filter.choices === undefined ? (
      <input name={filter.name} type={filter.input ?? 'text'} step="any" value={value} />
    ) : (
      <select name={filter.name}>
        <option value="">any</option>
        {filter.choices.map((choice) => (
          <option value={choice} selected={choice === value}>
            {choice}
          </option>
        ))}
      </select>
    )}
  </label>
)
