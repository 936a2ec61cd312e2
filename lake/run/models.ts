/** Runs the reconciliation: every model of sql/, stage by stage, each into a table of its name. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXCEPTIONS } from '../../domain/exceptions.ts'
import { NEXT_STEPS } from '../../domain/next-steps.ts'
import { assert, Failure } from '../../domain/failure.ts'
import { packageRoot } from '../connection/package-root.ts'

const SQL = join(packageRoot, 'sql')

/**
 * The enum values of a lake are known once its models run; each takes a byte or two in later
 * tables.
 */
const ENUM_VALUE =
  'create or replace temp type enum_value as enum (select value from enum_value where value is not null order by value)'

/**
 * Finds the enum value of a text: comparing it with the most common ones costs less than a lookup.
 */
const AS_ENUM_VALUE = `create or replace temp macro as_enum_value (text) as case text
  when 'CHARGE' then 'CHARGE'::enum_value when 'CAPTURE' then 'CAPTURE'::enum_value when 'CARD' then 'CARD'::enum_value else try_cast(text as enum_value) end`

/** A filter on one input of a model. */
export interface Part {
  input: string
  where: string
}

export interface Model {
  stage: string
  name: string
  text: string
  /** Models whose tables are dropped when it has run. */
  drops?: readonly string[]
  /** A database that its rows go into; a view of the model's name shows them. */
  database?: string
  /**
   * Filters on tables of the database above. The model runs once for each part, and its table has the rows of all these
   * runs.
   */
  parts?: readonly Part[]
}

/**
 * The value of a key in a model's header, such as `transactions` for `-- size     transactions`.
 */
export const headerOf = ({ text }: Pick<Model, 'text'>, key: string): string | undefined =>
  new RegExp(`^-- ${key} +(.*)$`, 'm').exec(text)?.[1]

/** The tables that a model's header names: models, and inputs. */
export const readsOf = (model: Pick<Model, 'text'>): string[] =>
  (headerOf(model, 'reads') ?? '').split(', ')

/** The given models with all models that they need, in the order of the pipeline. */
export function neededFor(models: readonly Model[], names: readonly string[]): Model[] {
  const needed = new Set(names)
  for (const model of models.toReversed()) {
    if (needed.has(model.name)) for (const table of readsOf(model)) needed.add(table)
  }
  return models.filter(({ name }) => needed.has(name))
}

/** Values of the models' variables, each with its SQL type. */
export type Variables = Record<string, { type: string; value: string | bigint | null }>

export const macros = (): string => readFileSync(join(SQL, 'macros.sql'), 'utf8')

/**
 * The models in the order of their runs: by stage, and within a stage each after the ones that it
 * reads.
 */
export function readModels(): Model[] {
  return readdirSync(SQL, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d{2}_/.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .flatMap((stage) => inOrder(withFindings(readFolder(stage))))
}

/** The models of a stage. The stage of findings has one more, `finding`: their union. */
function withFindings(stage: readonly Model[]): readonly Model[] {
  const findings = stage.filter((model) => kindOf(model) === 'finding').map(({ name }) => name)
  if (findings.length === 0) return stage
  const selects = findings.map((name) => `select '${name.toUpperCase()}' as code, * from ${name}`)
  const text = [
    ...['-- model    finding', `-- reads    ${findings.join(', ')}`],
    selects.join('\nunion all by name\n'),
  ].join('\n')
  return [...stage, { stage: stage[0]?.stage ?? '', name: 'finding', text }]
}

/**
 * The models of a stage, each after the ones of it that it reads, else by name. Fails for a circle.
 */
export function inOrder(stage: readonly Model[]): Model[] {
  const left = new Map(stage.map((model) => [model.name, { model, reads: readsOf(model) }]))
  const ordered: Model[] = []
  while (left.size > 0) {
    const next = [...left.values()].find(({ reads }) => !reads.some((name) => left.has(name)))
    assert(next !== undefined, `no circle among ${[...left.keys()].join(', ')}`)
    left.delete(next.model.name)
    ordered.push(next.model)
  }
  return ordered
}

/** The invariants: one model each. A returned row breaks the invariant. */
export const readChecks = (): Model[] => readFolder('checks')

/** Reads one model, such as `explain` and `explained_lag`. */
export const readModel = (stage: string, name: string): Model => ({
  ...{ stage, name },
  text: readFileSync(join(SQL, stage, `${name}.sql`), 'utf8'),
})

/** The models of one folder of sql/, by name. */
export function readFolder(stage: string): Model[] {
  return readdirSync(join(SQL, stage))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readModel(stage, file.slice(0, -'.sql'.length)))
}

/** Sets the variables, and makes the macros and the tables of exception codes and next steps that every model may use. */
export async function prepareModels(
  connection: DuckDBConnection,
  variables: Variables,
): Promise<void> {
  await setVariables(connection, variables)
  await connection.run(macros())
  const codes = Object.entries(EXCEPTIONS).map(([code, severity]) => ({ code, severity }))
  await makeTable(connection, 'exception_code', codes)
  await makeNextSteps(connection)
}

/** Makes the table of next steps, with whom to ask and the likely cause, by exception code and explanation. */
export async function makeNextSteps(connection: DuckDBConnection): Promise<void> {
  const steps = NEXT_STEPS.map(({ askWhom, ...step }) => ({ ...step, ask_whom: askWhom }))
  await makeTable(connection, 'next_step', steps)
}

/** Makes a small table of texts from rows that all have the columns of the first. */
export async function makeTable(
  connection: DuckDBConnection,
  name: string,
  rows: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  const columns = Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((column) => [column, 'VARCHAR']),
  )
  await connection.run(
    `create or replace temp table ${name} as select unnest(from_json($1, '${JSON.stringify([columns])}'), recursive := true)`,
    [JSON.stringify(rows)],
  )
}

export async function setVariables(
  connection: DuckDBConnection,
  variables: Variables,
): Promise<void> {
  for (const [name, { type, value }] of Object.entries(variables)) {
    await connection.run(`set variable ${name} = $1::${type}`, [value])
  }
}

/** The first word of a model's header. */
export type ModelKind = 'model' | 'view' | 'finding' | 'pack' | 'check'

export const kindOf = ({ text }: Pick<Model, 'text'>): ModelKind =>
  (/^-- (\w+)/.exec(text)?.[1] ?? 'model') as ModelKind

/**
 * True for a model that only selects rows of other tables, and for the longest table of a pack. Such a model becomes
 * a view, because writing its rows again takes longer.
 */
const isView = (model: Model): boolean =>
  kindOf(model) === 'view' || headerOf(model, 'pack') === 'attributions.csv'

/** Runs models in order; `onModelDone` receives each with its time. */
export async function runModels(
  connection: DuckDBConnection,
  models: readonly Model[],
  onModelDone: (model: Model, took_ms: number) => void = () => {},
): Promise<void> {
  for (const model of models) {
    const started = performance.now()
    try {
      await make(connection, model)
      if (model.name === 'enum_value') await makeEnumType(connection)
    } catch (cause) {
      if (/INTERRUPT/i.test(String(cause))) throw cause
      throw new Failure('bug', `model ${model.stage}/${model.name} failed: ${String(cause)}`, {
        cause,
      })
    }
    for (const name of model.drops ?? []) {
      const dropped = models.find((other) => other.name === name)
      if (dropped !== undefined) await drop(connection, dropped)
    }
    onModelDone(model, performance.now() - started)
  }
}

/** Makes an enum type of the values in the table of the same name. */
export async function makeEnumType(connection: DuckDBConnection): Promise<void> {
  await connection.run(ENUM_VALUE)
  await connection.run(AS_ENUM_VALUE)
}

async function make(connection: DuckDBConnection, model: Model): Promise<void> {
  const { name, text, database } = model
  const table = tableOf(model)
  if (database === undefined) {
    const ranges = headerOf(model, 'each')
    if (ranges !== undefined) return makeForEach(connection, model, ranges)
    const kind = isView(model) ? 'view' : 'table'
    await connection.run(`create or replace temp ${kind} ${name} as ${text}`)
    return
  }
  if (model.parts === undefined) await connection.run(`create or replace table ${table} as ${text}`)
  else await makeInParts(connection, model, model.parts)
  await connection.run(`create or replace temp view ${name} as from ${table}`)
}

/** The table of a model, with the database that it is in. */
const tableOf = ({ name, database }: Model): string =>
  database === undefined ? name : `${database}.${name}`

/** Runs the model once for each part, with its input bound to the rows of that part. */
async function makeInParts(
  connection: DuckDBConnection,
  model: Model,
  parts: readonly Part[],
): Promise<void> {
  const table = tableOf(model)
  for (const [index, { input, where }] of parts.entries()) {
    const rows = `from ${model.database}.${input}`
    await connection.run(`create or replace temp view ${input} as ${rows} where ${where}`)
    const into =
      index === 0 ? `create or replace table ${table} as` : `insert into ${table} by name`
    await connection.run(`${into} ${model.text}`)
    await connection.run(`create or replace temp view ${input} as ${rows}`)
  }
}

/**
 * Runs the model once for each row of another table, whose columns become variables. DuckLake skips files by
 * constants alone; a join with that table would open all of them.
 */
async function makeForEach(
  connection: DuckDBConnection,
  { name, text }: Model,
  table: string,
): Promise<void> {
  const reader = await connection.runAndReadAll(`from ${table}`)
  await connection.run(`create or replace temp table ${name} as from (${text}) limit 0`)
  for (const row of reader.getRowObjects()) {
    for (const [column, value] of Object.entries(row)) {
      await connection.run(`set variable ${column} = $1`, [value])
    }
    await connection.run(`insert into ${name} by name ${text}`)
  }
}

/** Drops the table of a model, and the view of its name if the table is in another database. */
async function drop(connection: DuckDBConnection, model: Model): Promise<void> {
  if (model.database !== undefined) await connection.run(`drop view ${model.name}`)
  await connection.run(`drop table ${tableOf(model)}`)
}

/** Runs every check; a returned row is a broken invariant, after which nothing may be published. */
export async function runChecks(connection: DuckDBConnection): Promise<void> {
  for (const check of readChecks()) {
    const reader = await connection.runAndReadAll(`select * from (${check.text}) limit 3`)
    if (reader.currentRowCount === 0) continue
    const rows = JSON.stringify(reader.getRowObjectsJson())
    throw new Failure('invariant_broken', `check ${check.name} is broken by ${rows}`)
  }
}
