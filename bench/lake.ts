/** The lakes of the benches: local ones in a folder that goes with them. */
import { join } from 'node:path'
import type { LakeSettings, Settings } from '../domain/settings.ts'
import { openLake } from '../lake/connection/open.ts'
import { plainAccount } from '../test/support/plain-account.ts'

/** Settings of a lake in a folder, laid out as the command line does it. */
export const lakeIn = (folder: string, memoryLimit = '4GB'): LakeSettings => ({
  catalog: `sqlite:${join(folder, 'catalog.sqlite')}`,
  data: join(folder, 'parquet'),
  folder,
  memoryLimit,
  threads: 2,
})

/** Settings of the account of the benches, whose lake is the folder `lake` in this one. */
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

/** How many versions of transactions a lake holds that some other process has filled. */
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
