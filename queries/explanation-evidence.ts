/**
 * The evidence for and against the members of one settlement: the parts of its difference, other cut-offs, rivals,
 * and observations.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import type { CertificateReasonCode } from '../domain/certificate-reasons.ts'
import { readModel, runModels } from '../lake/run/models.ts'

/**
 * A named part of a difference, or a transaction that was moved. The amounts of all parts except the moved ones add
 * up to the difference.
 */
export interface DifferencePart {
  name: string
  amount: string
  /** Transaction ids, separated by `;`. Empty for the unexplained part. */
  transactions: string
  /** The settlement on the other side, if there is one. */
  otherSettlement: string
}

/** A possible cut-off of the settlement, with the numbers that it would give. */
export interface CutOffTried {
  /** Time of the last included transaction, by the terminal's clock. */
  at: string
  computedNet: string
  difference: string
  isChosen: boolean
}

/**
 * Other transactions between two cut-offs that give the same net. The cut-offs are those of this settlement and of
 * the one before, or alternatives to them.
 */
export interface RivalInterval {
  /** Time of the first included transaction, by the terminal's clock. Empty if there is none. */
  from: string
  until: string
}

/** A reason of R-09 why the certificate of a settlement is AMBIGUOUS. */
export interface CertificateReason {
  reason: CertificateReasonCode
  /** The other settlement of this reason, or empty. */
  otherSettlement: string
  /** The transactions of this reason, separated by `;`, or empty. */
  transactions: string
}

export interface Evidence {
  /** All reasons why the certificate is AMBIGUOUS. Empty if it is not. */
  certificateReasons: CertificateReason[]
  parts: DifferencePart[]
  /** The usual lag of this terminal in hours and minutes, and how far it varies. Empty if it is not known. */
  usualLag: string
  usualSpread: string
  /** The hours before created in which the cut-off of this terminal's settlements is looked for. */
  reachHours: number
  /**
   * Number of cut-offs tried within the reach. `cutOffs` lists the closest ones, and those at which the settlement
   * would tie.
   */
  cutOffsTried: number
  cutOffs: CutOffTried[]
  /**
   * Number of other pairs of cut-offs that are as good, if the settlement before may end elsewhere, too.
   * `rivalStretches` lists the ten closest.
   */
  rivalStretchesFound: number
  rivalStretches: RivalInterval[]
  /**
   * Up to ten pairs of a member and another transaction within two hours of a cut-off that could be exchanged without
   * changing the net.
   */
  swaps: { leave: string; join: string }[]
  /**
   * The number of possible nets of a settlement that ties between two that do not, if it may tie by chance. 0 if
   * rivals or swaps exist.
   */
  netsByChance: number
  /** Observations of the settlement, and of members that turned settled, in order of time. */
  observed: { at: string; what: string }[]
}

/** Reads the evidence of the settlement in the variable `explained_id`, after the models ran. */
export async function evidenceOn(connection: DuckDBConnection): Promise<Evidence> {
  await runModels(connection, [readModel('explain', 'explained_interval')])
  const [usual = {}] = await readExplained(connection, 'explained_lag')
  const cutOffs = await readExplained(connection, 'explained_cutoff')
  const rivals = await readExplained(connection, 'explained_rival')
  const swaps = await readExplained<Evidence['swaps'][number]>(connection, 'explained_swap')
  const [chance = { nets: '0' }] = await readExplained(connection, 'explained_chance')
  return {
    certificateReasons: await readExplained(connection, 'explained_certificate_reason'),
    parts: await readExplained(connection, 'explained_difference_part'),
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
    observed: await readExplained(connection, 'explained_observation'),
  }
}

/** Returns the rows of a model of sql/explain, every value as text. */
export async function readExplained<Row = Record<string, string>>(
  connection: DuckDBConnection,
  name: string,
): Promise<Row[]> {
  const reader = await connection.runAndReadAll(readModel('explain', name).text)
  const rows = reader
    .getRowObjectsJson()
    .map((row) => Object.fromEntries(Object.entries(row).map(([key, v]) => [key, String(v)])))
  return rows as Row[]
}
