/** A page with a filtered list. */
import type { Child, FC } from 'hono/jsx'
import { type Column, FilterForm, Page, type InPage, Table } from './frame.tsx'
import { Link } from './link.tsx'
import { type Filter, type Listed, type ListSpec, type Query, sortAddress } from './listing.ts'

interface ListPageProps extends InPage {
  spec: ListSpec
  listed: Listed
  query: Query
  columns: readonly Column[]
  caption: string
  /** The rows that the list holds, if that is less than a reader expects. */
  scope?: string
  children?: Child
}

export const ListPage: FC<ListPageProps> = ({
  spec,
  listed,
  query,
  columns,
  caption,
  scope,
  children,
  ...page
}) => {
  const { rows, set, sort, next, first, csv } = listed
  const sortLink = ({ name }: Column) => {
    if (!Object.hasOwn(spec.sorts, name)) return undefined
    const order = sort.isDescending ? ('descending' as const) : ('ascending' as const)
    return {
      href: sortAddress(spec, query, name),
      order: sort.column === name ? order : ('none' as const),
    }
  }
  return (
    <Page {...page} at={spec.path}>
      <FilterForm path={spec.path}>
        {spec.filters.map((filter) => (
          <FilterField filter={filter} value={set[filter.name] ?? ''} />
        ))}
        {query['sort'] === undefined ? null : (
          <input type="hidden" name="sort" value={query['sort']} />
        )}
        <button type="submit">Show</button>
        <Link href={spec.path}>Show all</Link>
      </FilterForm>
      {scope === undefined ? null : <p class="note">{scope}</p>}
      <Table {...{ caption, columns, rows, sortLink }} empty="Nothing matches." />
      {children}
      <p class="pager">
        {first === undefined ? null : <Link href={first}>First page</Link>}
        {next === undefined ? null : (
          <Link href={next} rel="next">
            Next page
          </Link>
        )}
        <Link href={csv}>Download as CSV</Link>
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
