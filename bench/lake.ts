/** Makes the lakes of the benches, which are local and disappear with their folder. */
import { join } from 'node:path'
import type { LakeSettings, Settings } from '../domain/settings.ts'
import { openLake } from '../lake/connection/open.ts'
import { plainAccount } from '../test/support/plain-account.ts'

/** Returns the settings of a lake in a folder, with the layout that the command line uses. */
export const lakeIn = (folder: string, memoryLimit = '4GB'): LakeSettings => ({
  catalog: `sqlite:${join(folder, 'catalog.sqlite')}`,
  data: join(folder, 'parquet'),
  folder,
  memoryLimit,
  threads: 2,
})

/** Returns the settings of the benches' account. Its lake is the subfolder `lake`. */
export const settingsIn = (
  folder: string,
  { lake, ...more }: Partial<Omit<Settings, 'lake'>> & { lake?: Partial<LakeSettings> } = {},
): Settings =>
  plainAccount({
    account: 'bench',
    out: join(folder, 'out'),
    lake: { ...lakeIn(join(folder, 'lake')), ...lake },
    ...more,
  })

/** Counts the versions of transactions in a lake that another process has filled. */
export async function transactionsIn(folder: string): Promise<number> {
  const lake = await openLake(lakeIn(folder, '1GB'), { create: false })
  try {
    const connection = await lake.connect()
    const reader = await connection.runAndReadAll(
      'select count(*) from lake.seen.transaction_version',
    )
    connection.closeSync()
    return Number(reader.getRows()[0]?.[0])
  } finally {
    lake.close()
  }
}
