/** A lake that was restored from a backup goes on as the lake itself does: the same pack and the same lists. */
import { join } from 'node:path'
import { listExceptions } from '../../../queries/list-exceptions.ts'
import { listPeriods } from '../../../queries/list-periods.ts'
import { PACK_FILES } from '../../../reports/pack/pack-files.ts'
import type { Deployment } from './deployment.ts'
import { readCsv } from './rows.ts'

/** Both have run the same last night; `pack` is the one of the first. */
export async function judgeRestored(
  first: Deployment,
  second: Deployment,
  pack: string,
): Promise<string[]> {
  const other = pack.replace(first.settings.out, second.settings.out)
  const differing = PACK_FILES.filter(
    ({ name }) => comparableRows(join(pack, name)) !== comparableRows(join(other, name)),
  )
  const [lists, otherLists] = await Promise.all([first, second].map(listsOf))
  return [
    ...differing.map(({ name }) => `${name} differs after a restore`),
    ...(lists === otherLists ? [] : ['the lists differ after a restore']),
  ]
}

/** The rows of a file as text. The number of requests sent ahead of the pages depends on the time that each took. */
const comparableRows = (file: string): string =>
  JSON.stringify(readCsv(file).map((row) => ({ ...row, requests: '', throttled: '' })))

const listsOf = async ({ settings }: Deployment): Promise<string> =>
  JSON.stringify([await listExceptions(settings, {}), await listPeriods(settings)])
