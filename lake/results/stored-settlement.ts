/**
 * Takes the numbers, members and end of one settlement from a stored run. The models of sql/explain_stored read these
 * rows. The stages' models compute the rest from the transactions close to the settlement.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import {
  inOrder,
  neededFor,
  readFolder,
  readModels,
  readsOf,
  runModels,
  setVariables,
  type Model,
} from '../run/models.ts'
import { bindInputs } from '../run/bind-inputs.ts'
import type { StoredVerdict } from './published-verdict.ts'

/**
 * Makes the tables that an explanation reads, on a connection whose variables are those of the run.
 * Returns the reason why the stored run can't answer, or undefined.
 */
export async function takeOneSettlement(
  connection: DuckDBConnection,
  { stored, settlementId }: { stored: StoredVerdict; settlementId: string },
): Promise<string | undefined> {
  await setVariables(connection, {
    explained_id: { type: 'bigint', value: settlementId },
    explained_terminal: { type: 'bigint', value: stored.terminalId },
    stored_run: { type: 'varchar', value: stored.runId },
    settled_event: { type: 'varchar', value: stored.settledEvent },
  })
  const models = storedModels()
  await bindInputs(connection, models)
  await runModels(connection, models)
  const reader = await connection.runAndReadAll('select reason from recompute_reason')
  const [reason] = reader.getRows()[0] ?? []
  return typeof reason === 'string' ? reason : undefined
}

/**
 * Returns the models that an explanation needs. A model of sql/explain_stored replaces the stage's model, or the
 * input, of the same name. Its text may read the rows of the replaced model as `stage_<name>`.
 */
function storedModels(): Model[] {
  const stored = readFolder('explain_stored')
  const names = new Set(stored.map(({ name }) => name))
  const stages = readModels().map((model) =>
    names.has(model.name) ? { ...model, name: `stage_${model.name}` } : model,
  )
  return neededFor(inOrder([...stages, ...stored]), ['recompute_reason', ...tablesExplained()])
}

/** The tables that the models of sql/explain read. */
export const tablesExplained = (): string[] => readFolder('explain').flatMap(readsOf)
