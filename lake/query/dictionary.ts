/** The data dictionary: every view and column with its meaning, type and unit, from the files of the views. */
import { KINDS } from './kinds.ts'
import { EVERY_RUN, LATEST, readViews, type View } from './views.ts'

const INTRODUCTION = `# Data dictionary

\`tieout query\` reads these views and nothing else. This page is made by \`tieout query --dictionary\` from the files of sql/views; what is
meant by a column is said there and nowhere else.

- Names are those of the pack's files and of the service. DuckDB takes them in upper and lower case alike: \`terminalid\` is \`terminalId\`.
- Every view has an \`account\`: views hold the records of all accounts of the lake, whatever \`--account\` says.
- Results are those of the latest run of each account, the one that \`OUT/<account>/latest\` names. \`${EVERY_RUN}.settlements\` and its like hold the same of
  every run, told apart by \`runId\`; \`runs\` lists them.
- Money is DECIMAL(18,2) in the account's currency, exact. Instants are UTC. Empty is NULL.
- Sums of money are DECIMAL(38,2), sums of whole numbers DECIMAL(38,0). Both stay exact in every format but table, where they are only read.
`

/** Makes the whole page. */
export function dictionary(): string {
  const views = readViews()
  const parts = [
    INTRODUCTION,
    ...section('Results', 'results', views),
    ...section('Records', 'records', views),
  ]
  return `${parts.join('\n').trimEnd()}\n`
}

function section(title: string, of: View['of'], views: readonly View[]): string[] {
  return [
    `# ${title}\n`,
    views
      .filter((view) => view.of === of)
      .map(pageOf)
      .join('\n\n'),
    '',
  ]
}

function pageOf({ name, grain, silent, columns }: View): string {
  const rows = columns.map(({ name: column, kind, meaning }) => {
    const { type, unit } = KINDS[kind]
    return `| \`${column}\` | ${type} | ${unit} | ${meaning.replaceAll('|', '\\|')} |`
  })
  return [
    `## ${name}`,
    sentence(grain),
    ...(silent === 'nothing' ? [] : [`Left out: ${silent}.`]),
    '',
    '| column | type | unit | meaning |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Lists the views with the meaning of a row, as lines of text. */
export function viewLines(): string[] {
  const views = readViews()
  const width = Math.max(...views.map(({ name }) => name.length))
  return views.map(({ name, grain }) => `${LATEST}.${name.padEnd(width)}  ${grain}`)
}

/**
 * The views as sources of dbt, in YAML. Each is a Parquet file of `tieout query`, which dbt-duckdb reads at
 * `external_location`; other adapters load the files first.
 */
export async function dbtSources(): Promise<string> {
  const { stringify } = await import('yaml')
  const tables = readViews().map(({ name, grain, columns }) => ({
    name,
    description: sentence(grain),
    columns: columns.map(({ name: column, kind, meaning }) => ({
      name: column,
      description: meaning,
      // Parquet says of an instant that it is UTC.
      data_type: kind === 'instant' ? 'TIMESTAMP WITH TIME ZONE' : KINDS[kind].type,
      meta: { unit: KINDS[kind].unit },
    })),
  }))
  const source = {
    name: 'tieout',
    description: 'Files of tieout query, one for each view of the data dictionary.',
    meta: { external_location: 'tieout/{name}.parquet' },
    tables,
  }
  return stringify({ version: 2, sources: [source] }, { lineWidth: 0 })
}
