/** A run after one that has left something: it computes what that can have changed, or everything, and now and then both. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../domain/failure.ts'
import { runCarrying, type Base } from './carry.ts'
import { filledTables } from './filled.ts'
import { readModels, type Model } from './models.ts'
import { readNear } from './near.ts'
import { narrowed, runNight, takeSeal, type Sealed } from './night.ts'
import { inScratch, type Scratch } from './scratch.ts'
import { droppingSpent } from './spent.ts'

type Heard = (model: Model, took_ms: number) => void

interface After {
  base: Base
  fingerprint: string
  /** The database that takes large tables. */
  scratch?: Scratch | undefined
  /** Copies small tables of the lake. */
  near?: typeof readNear
  /** Tells which tables of the lake hold rows. */
  filled?: typeof filledTables
}

/** Runs the models after a run that has left something; true if it computed everything, to compare or because it had to. */
export async function runAfter(
  connection: DuckDBConnection,
  { base, fingerprint, scratch, near = readNear, filled = filledTables }: After,
  heard: Heard = () => {},
): Promise<boolean> {
  const all = readModels()
  const seal = await takeSeal(connection, fingerprint)
  let isFound = false
  if (seal !== undefined && base.known_at >= seal.known_at) {
    const models = droppingSpent(await near(connection, all.map(narrowed)))
    isFound = await runNight(connection, { models, base, seal, filled }, heard)
    if (isFound && !base.isWholeDue) return false
    if (isFound) await keepPack(connection)
  }
  // A seal is made of tables of the middle as well.
  const models = inScratch(await near(connection, all), scratch)
  for (const { name } of models.filter(({ apart }) => apart !== undefined)) {
    await connection.run(`drop table if exists temp.main.${name}`)
  }
  await runCarrying(connection, { models, base }, heard)
  if (isFound && seal !== undefined) await comparePack(connection, seal)
  return true
}

const packs = (models: readonly Model[]): string[] =>
  models.map(({ name }) => name).filter((name) => name.startsWith('pack_'))

/** What was found, beside what will be. */
async function keepPack(connection: DuckDBConnection): Promise<void> {
  for (const name of packs(readModels())) {
    await connection.run(`create or replace temp table night_${name} as from ${name}`)
  }
}

/** Throws invariant_broken where the files of a pack differ, which are then those of a run over everything. */
async function comparePack(connection: DuckDBConnection, { runId }: Sealed): Promise<void> {
  for (const name of packs(readModels())) {
    const differing = await connection.runAndReadAll(
      `select 'sealed' as made, * from (from night_${name} except all from ${name})
       union all by name
       select 'whole' as made, * from (from ${name} except all from night_${name}) limit 3`,
    )
    if (differing.currentRowCount === 0) continue
    throw new Failure(
      'invariant_broken',
      `${name} after the seal of run ${runId} differs from the one computed whole: ${JSON.stringify(differing.getRowObjectsJson())}`,
      {
        remedy:
          'set reconcile.whole_every to 1, run the command again, and report it with the details',
      },
    )
  }
}
