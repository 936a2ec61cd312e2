/** Runs all models of a run on one connection. */
import type { Settings } from '../../domain/settings.ts'
import type { Run, Knowledge } from '../../domain/run.ts'
import { type Scratch, withLargeInSpill } from './spill-database.ts'
import type { DuckDBConnection } from '@duckdb/node-api'
import { type Model, makeTable, readModels, runModels, prepareModels } from './models.ts'
import { bindInputs } from './bind-inputs.ts'
import { dropAfterLastReader } from './last-reader.ts'
import { variablesFor } from './run-variables.ts'

export interface About {
  settings: Settings
  run: Run
  knowledge: Knowledge
}

/** Runs every model on one connection; its temporary tables then hold the results. */
export async function runAllModels(
  connection: DuckDBConnection,
  { scratch, ...about }: About & { scratch?: Scratch | undefined },
  onModelDone: ModelListener = () => {},
): Promise<void> {
  await prepareRunModels(connection, about)
  const onDone = ({ stage, name }: Model) => onModelDone(`${stage}/${name}`)
  const models = readModels()
  await bindInputs(connection, models)
  await runModels(connection, withLargeInSpill(dropAfterLastReader(models), scratch), onDone)
}

/** Prepares the inputs that every model of a run may read beside other models. */
export async function prepareRunModels(connection: DuckDBConnection, about: About): Promise<void> {
  await prepareModels(connection, variablesFor(about.settings, about.run, about.knowledge))
  const chart = Object.entries(about.settings.chartOfAccounts)
  await makeTable(
    connection,
    'chart',
    chart.map(([account_key, { account, name }]) => ({ account_key, account, account_name: name })),
  )
}

/** Receives each model as it ends, for progress and heartbeats. */
export type ModelListener = (model: string) => void
