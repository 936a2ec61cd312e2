/** The lake's records against those that the service showed: nothing is lost, doubled, reverted or invented. */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Moment } from '../../../simulator/world/moment.ts'
import { rowsIn } from './rows.ts'
import { LANDED, SHOWN, type ListName, type Shown } from './shown.ts'

const LISTS: readonly ListName[] = ['terminals', 'settlements', 'transactions']

/** The instants at which each list was read, in order; at the last of them it was read to its end. */
export type Looks = Record<ListName, Moment[]>

/** Compares each list after a night. */
export async function judgeRecords(connection: DuckDBConnection, looks: Looks): Promise<string[]> {
  const wrong: string[] = []
  for (const list of LISTS) {
    const shown = looks[list].map((look) => SHOWN[list](look))
    const landed = versionsById(await rowsIn(connection, LANDED[list]))
    for (const [id, versions] of landed)
      wrong.push(
        ...judgeHistory(
          `${list} ${id}`,
          versions,
          shown.map((at) => at.get(id)),
        ),
      )
    wrong.push(...judgeNewest(list, landed, shown.at(-1) ?? new Map()))
    wrong.push(...(await judgeQuarantine(connection, list, shown.at(-1) ?? new Map())))
  }
  const vanished = await rowsIn(connection, 'from lake.seen.presence where not present')
  wrong.push(
    ...vanished.map((row) => `the lake says that a record vanished: ${JSON.stringify(row)}`),
  )
  const twice = await rowsIn(
    connection,
    'select sweep_id, batch from lake.ops.landing group by all having count(*) > 1',
  )
  return [...wrong, ...twice.map((row) => `a batch landed twice: ${JSON.stringify(row)}`)]
}

function versionsById(rows: readonly Record<string, unknown>[]): Map<string, string[]> {
  const landed = new Map<string, string[]>()
  for (const row of rows) {
    const id = String(row['id'])
    landed.set(id, [...(landed.get(id) ?? []), String(row['line'])])
  }
  return landed
}

/** The versions are some of the states that the service showed, in their order, and none follows an equal one. */
function judgeHistory(
  what: string,
  versions: readonly string[],
  states: readonly (string | undefined)[],
): string[] {
  let place = 0
  for (const [index, version] of versions.entries()) {
    if (version === versions[index - 1]) return [`${what} has the version "${version}" twice`]
    const found = states.indexOf(version, place)
    if (found < 0) return [`${what} never was "${version}"`]
    place = found
  }
  return []
}

function judgeNewest(
  list: ListName,
  landed: ReadonlyMap<string, readonly string[]>,
  shown: Shown,
): string[] {
  return [...shown].flatMap(([id, line]) => {
    const newest = landed.get(id)?.at(-1)
    if (newest === line) return []
    return [`${list} ${id} is "${line}", and the lake has "${newest}"`]
  })
}

async function judgeQuarantine(
  connection: DuckDBConnection,
  list: ListName,
  shown: Shown,
): Promise<string[]> {
  const rows = await rowsIn(
    connection,
    `select subject_id as id from lake.seen.quarantine where list = '${list}'`,
  )
  const found = rows.map(({ id }) => String(id))
  const unreadable = [...shown].filter(([, line]) => line === undefined).map(([id]) => id)
  return [
    ...found
      .filter((id) => !unreadable.includes(id))
      .map((id) => `${list} ${id} is readable, and in quarantine`),
    ...unreadable
      .filter((id) => !found.includes(id))
      .map((id) => `${list} ${id} is unreadable, and not in quarantine`),
    ...(new Set(found).size < found.length ? [`${list}: a record is in quarantine twice`] : []),
  ]
}
