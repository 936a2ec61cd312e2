/** What speaks for the members of one settlement, and against: its difference by name, other cut-offs, rivals, and what was seen when. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { readModel, runModels } from '../lake/run/models.ts'

/** A named part of a difference, or a transaction that was moved; the amounts of all parts but the moved ones add up to the difference. */
export interface DifferencePart {
  name: string
  amount: string
  /** Transaction ids, `;`-separated; empty for what is unexplained. */
  transactions: string
  /** The settlement on the other side, where there is one. */
  otherSettlement: string
}

/** A place at which the settlement may end, and what its numbers would be. */
export interface CutOffTried {
  /** Time of the last transaction in, by the terminal's clock. */
  at: string
  computedNet: string
  difference: string
  isChosen: boolean
}

/** Other transactions between two cut-offs, this one's or another of it and of the settlement before, that come to the same net. */
export interface RivalInterval {
  /** Time of the first transaction in, by the terminal's clock; empty where none is. */
  from: string
  until: string
}

export interface Evidence {
  parts: DifferencePart[]
  /** Hours and minutes before created at which this terminal is usually cut off, and how far that strays; empty if nothing tells. */
  usualLag: string
  usualSpread: string
  /** How many hours before created the cut-off of this terminal's settlements is looked for. */
  reachHours: number
  /** How many places within the reach were tried; of them the nearest, and those at which it would tie. */
  cutOffsTried: number
  cutOffs: CutOffTried[]
  /** How many other stretches, where the settlement before may end elsewhere as well, are as good; of them the ten nearest. */
  rivalStretchesFound: number
  rivalStretches: RivalInterval[]
  /** Members that could leave, and others that could join, within two hours of a cut-off without changing the net; up to ten. */
  swaps: { leave: string; join: string }[]
  /** Where nothing else is as good: so many nets come into question for one that ties between two that don't that it may tie by chance; else 0. */
  netsByChance: number
  /** What was seen of the settlement and of its members turning settled, in order of time. */
  observed: { at: string; what: string }[]
}

/** Reads the evidence of the settlement in the variable `explained_id`, after the models ran. */
export async function evidenceOn(connection: DuckDBConnection): Promise<Evidence> {
  await runModels(connection, [readModel('explain', 'explained_interval')])
  const [usual = {}] = await readExplained(connection, 'explained_lag')
  const cutOffs = await readExplained(connection, 'explained_cutoff')
  const rivals = await readExplained(connection, 'explained_rival')
  const swaps = (await readExplained(connection, 'explained_swap')) as unknown as Evidence['swaps']
  const [chance = { nets: '0' }] = await readExplained(connection, 'explained_chance')
  return {
    parts: (await readExplained(
      connection,
      'explained_difference_part',
    )) as unknown as DifferencePart[],
    usualLag: usual['lag'] ?? '',
    usualSpread: usual['spread'] ?? '',
    reachHours: Number(usual['reach']),
    cutOffsTried: Number(cutOffs[0]?.['tried'] ?? 0),
    cutOffs: cutOffs.map((row) => ({
      at: row['at'] ?? '',
      computedNet: row['computedNet'] ?? '',
      difference: row['difference'] ?? '',
      isChosen: row['isChosen'] === 'true',
    })),
    rivalStretchesFound: Number(rivals[0]?.['found'] ?? 0),
    rivalStretches: rivals.map(({ from = '', until = '' }) => ({ from, until })),
    swaps,
    netsByChance: rivals.length + swaps.length > 0 ? 0 : Number(chance['nets']),
    observed: (await readExplained(
      connection,
      'explained_observation',
    )) as unknown as Evidence['observed'],
  }
}

/** The rows of a model of sql/explain, every value as text. */
export async function readExplained(
  connection: DuckDBConnection,
  name: string,
): Promise<Record<string, string>[]> {
  const reader = await connection.runAndReadAll(readModel('explain', name).text)
  return reader
    .getRowObjectsJson()
    .map((row) => Object.fromEntries(Object.entries(row).map(([key, v]) => [key, String(v)])))
}
