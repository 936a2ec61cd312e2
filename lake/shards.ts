/** A run in parts: each part takes its own rows, and leaves beside the lake the tables that others read. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { mkdirSync, rmSync } from 'node:fs'
import { assert } from '../domain/failure.ts'
import { divide, readsOf, shareOf, type Division, type Share, type Task } from './division.ts'
import { isView, readChecks, readModels, runModels, type Model } from './models.ts'
import { readNear } from './near.ts'
import { readingTable, writeTable } from './parquet-table.ts'
import { quoted } from './quoted.ts'
import { droppingSpent } from './spent.ts'

/** What a card's rows are known by; rows without one are no card's. */
const CARD_KEY = 'coarse_key'

/** Where the parts of a run lie, and which attempt at each task counts, round by round. */
export interface Parts {
  folder: string
  shards: number
  attempts: readonly (readonly number[])[]
}

/** One task of the round that comes after those in `parts.attempts`. */
export interface Part extends Task {
  attempt: number
}

/** Tables with a row for most transactions that others read as well: their rows go into their file as they are made, and never all stand in memory. */
const STREAMED = /^(current_transaction|settled_member|placed_transaction)$/

type Heard = (model: Model) => void

/**
 * The run's working area, under the lake's data: what a run leaves there is no file of the catalog, so that the clean-up
 * of orphaned files takes it away, from an object store as well.
 */
export const partsFolder = (data: string, runId: string): string =>
  `${data.replace(/\/$/, '')}/parts/${runId}`

/** Local files of a run that is done; those in an object store wait for the clean-up. */
export function removeParts({ folder }: Parts): void {
  if (!folder.includes('://')) rmSync(folder, { recursive: true, force: true })
}

/** The models of the pipeline among so many shards. */
export const division = (shards: number): Division => divide(readModels(), shards)

/** Makes what tasks need of the whole lake, once for all of them. */
export async function writeBasis(connection: DuckDBConnection, parts: Parts): Promise<void> {
  const place = basisOf(parts)
  makeFolder(place)
  const models = await readNear(connection, division(parts.shards).basis)
  await runModels(
    connection,
    models.map((model) => ({ ...model, file: fileIn(place, model.name) })),
  )
}

/** Runs one task on a connection whose variables and macros are set. */
export async function runPart(
  connection: DuckDBConnection,
  { parts, share, shard, attempt }: Part & { parts: Parts },
  heard: Heard = () => {},
): Promise<void> {
  const divided = division(parts.shards)
  const round = parts.attempts.length
  const mine = divided.modelsOf(round, share)
  const whole = divided.wholeFor(mine)
  const place = placeOf(parts, round, { share, shard, attempt })
  makeFolder(place)
  await takeShard(connection, parts, shard)
  const gathered = inputsOf(whole, divided)
  for (const name of gathered) await gather(connection, name, { parts, divided })
  await runModels(connection, await basisRead(connection, whole, { parts, divided }), heard)
  for (const name of gathered) await connection.run(`drop view ${name}`)
  if (share === 'terminal') for (const { name } of whole) await leaveOthers(connection, name)
  const before = inputsOf(mine, divided).filter((name) => divided.roundOf(name) !== round)
  for (const name of before) await take(connection, name, { parts, divided, share, shard, mine })
  const kept = tablesKept(mine, divided)
  const models = droppingSpent(mine).map((model) =>
    STREAMED.test(model.name) ? { ...model, file: fileIn(place, model.name) } : model,
  )
  await runModels(connection, await readNear(connection, models.map(narrowed)), heard)
  for (const name of kept) {
    if (!STREAMED.test(name)) await writeTable(connection, `from ${name}`, fileIn(place, name))
  }
}

/** Runs what is not divided, on the parts that all rounds have left. */
export async function runWhole(
  connection: DuckDBConnection,
  parts: Parts,
  heard: Heard = () => {},
): Promise<void> {
  const divided = division(parts.shards)
  const parted = divided.models.filter((model) => shareOf(model) !== undefined)
  for (const name of tablesKept(parted, divided)) {
    await gather(connection, name, { parts, divided })
  }
  const whole = divided.models
    .filter((model) => shareOf(model) === undefined || isView(model))
    .map((model) =>
      STREAMED.test(model.name) ? { ...model, file: fileIn(basisOf(parts), model.name) } : model,
    )
  const models = await basisRead(connection, whole, { parts, divided })
  await runModels(connection, await readNear(connection, models), heard)
}

/** The same models, of which those that were made before the first round are only read. */
async function basisRead(
  connection: DuckDBConnection,
  models: readonly Model[],
  { parts, divided }: { parts: Parts; divided: Division },
): Promise<Model[]> {
  const read: Model[] = []
  for (const model of models) {
    const isThere = divided.basis.some(({ name }) => name === model.name)
    const file = fileIn(basisOf(parts), model.name)
    read.push(isThere ? { ...model, text: await readingTable(connection, [file]) } : model)
  }
  return read
}

const basisOf = ({ folder }: Parts) => `${folder}/basis`

function makeFolder(place: string): void {
  if (!place.includes('://')) mkdirSync(place, { recursive: true, mode: 0o700 })
}

/** Those of the models' tables that are left for others; a view is made again of its own. */
function tablesKept(models: readonly Model[], divided: Division): string[] {
  const checks = readChecks()
  return models
    .filter((model) => !isView(model) && divided.isReadElsewhere(model, checks))
    .map(({ name }) => name)
}

const fileIn = (place: string, table: string) => `${place}/${table}.parquet`

const placeOf = (parts: Parts, round: number, { share, shard, attempt }: Part) =>
  `${parts.folder}/${round}-${share}-${shard}-${attempt}`

/** The divided tables that models read, each once. */
const inputsOf = (models: readonly Model[], divided: Division): string[] => [
  ...new Set(models.flatMap(readsOf).filter((name) => divided.roundOf(name) !== undefined)),
]

/** The files of a divided table, one of each shard. */
function filesOf(name: string, parts: Parts, divided: Division): string[] {
  const round = divided.roundOf(name)
  const model = divided.models.find((one) => one.name === name)
  assert(round !== undefined && model !== undefined, `${name} is a divided model`)
  return (divided.rounds[round] ?? []).flatMap((task, place) => {
    const attempt = parts.attempts[round]?.[place]
    assert(attempt !== undefined, `${name} was made before it is read`)
    if (task.share !== shareOf(model)) return []
    return [fileIn(placeOf(parts, round, { ...task, attempt }), name)]
  })
}

async function gather(
  connection: DuckDBConnection,
  name: string,
  { parts, divided }: { parts: Parts; divided: Division },
): Promise<void> {
  const files = filesOf(name, parts, divided)
  await connection.run(
    `create or replace temp view ${name} as ${await readingTable(connection, files)}`,
  )
}

interface Taking {
  parts: Parts
  divided: Division
  share: Share
  shard: number
  /** Who reads it. */
  mine: readonly Model[]
}

/** The rows of an earlier round's table that this shard asks for. */
async function take(connection: DuckDBConnection, name: string, from: Taking): Promise<void> {
  const files = filesOf(name, from.parts, from.divided)
  const model = from.divided.models.find((one) => one.name === name)
  const own = model !== undefined && shareOf(model) === from.share ? files[from.shard] : undefined
  const rows = await readingTable(connection, own === undefined ? files : [own])
  if (own !== undefined) {
    const kind = STREAMED.test(name) ? 'view' : 'table'
    await connection.run(`create or replace temp ${kind} ${name} as ${rows}`)
    return
  }
  const isMine =
    from.share === 'card'
      ? `${CARD_KEY} is not null and in_share(${CARD_KEY})`
      : 'in_shard(terminal_id)'
  const columns = await columnsNamed(connection, rows, from.mine)
  await connection.run(
    `create or replace temp table ${name} as select ${columns.join(', ')} from (${rows}) where ${isMine}`,
  )
}

/** Those columns of a select that models name: rows of all shards are read for it, so that each column costs. */
async function columnsNamed(
  connection: DuckDBConnection,
  select: string,
  models: readonly Model[],
): Promise<string[]> {
  const described = await connection.runAndReadAll(`describe ${select}`)
  const columns = described.getRows().map(([column]) => String(column))
  const texts = models.map(({ text }) => text.replaceAll(/^--.*$/gm, ''))
  return columns.filter((column) => texts.some((text) => new RegExp(`\\b${column}\\b`).test(text)))
}

/** Names the shard's rows: `in_shard(terminal_id)` for terminals, `in_share(key)` for any other key. */
async function takeShard(
  connection: DuckDBConnection,
  { folder, shards }: Parts,
  shard: number,
): Promise<void> {
  await connection.run('set variable shards = $1::ubigint', [BigInt(shards)])
  await connection.run('set variable shard = $1::ubigint', [BigInt(shard)])
  await connection.run(
    `create or replace temp table shard_home as from read_parquet(${quoted(`${folder}/home.parquet`)})`,
  )
  await connection.run(
    `create or replace temp macro in_share(key) as hash(key) % getvariable('shards') = getvariable('shard')`,
  )
  await connection.run(
    `create or replace temp macro in_shard(id) as
       (in_share(coalesce(id, 0::bigint)) and coalesce(id, 0::bigint) not in (select terminal_id from shard_home))
       or coalesce(id, 0::bigint) in (select terminal_id from shard_home where in_share(home))`,
  )
  for (const table of ['transaction_version', 'settlement_version']) {
    await connection.run(
      `create or replace temp view shard_${table} as
       select version.* from lake.seen.${table} as version where in_shard(version.terminal_id)`,
    )
  }
}

/** A model that is divided by terminal reads its own terminals' versions only. */
const narrowed = (model: Model): Model => ({
  ...model,
  text: model.text.replaceAll(
    /(?<=\s)lake\.seen\.(transaction_version|settlement_version)\b/g,
    'shard_$1',
  ),
})

/** What a whole model says of other shards' terminals; what it says of none is for all. */
async function leaveOthers(connection: DuckDBConnection, name: string): Promise<void> {
  const described = await connection.runAndReadAll(`describe ${name}`)
  if (!described.getRows().some(([column]) => column === 'terminal_id')) return
  await connection.run(
    `delete from ${name} where terminal_id is not null and not in_shard(terminal_id)`,
  )
}
