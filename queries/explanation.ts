/**
 * Collects the explanation of one settlement: its numbers, the evidence, the transactions around it, and its
 * exceptions.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { Failure } from '../domain/failure.ts'
import { type Evidence, evidenceOn, readExplained } from './explanation-evidence.ts'

export interface ExplainedTransaction {
  transactionId: string
  created: string
  action: string
  status: string
  amountTotal: string
  signedAmount: string
  /** True if it is a member of the settlement. */
  inside: boolean
  /** The position of the transaction relative to the two cut-offs around the settlement. A member may lie outside. */
  lies: 'before' | 'within' | 'after'
  /** A remark, for example the other settlement that the transaction belongs to. */
  note: string
}

export interface Explanation extends Evidence {
  settlementId: string
  /** The published run that the answer comes from. Empty if everything was computed anew. */
  runId: string
  /** The instant by which ages are judged. */
  asOf: string
  terminalId: string
  terminalName: string
  created: string
  status: string
  reportedNet: string
  computedNet: string
  difference: string
  /** The value of settlements.csv: created of the settlement's last transaction, wherever that lies. */
  cutoff: string
  /**
   * The cut-off: time of the last transaction before the next settlement, by the terminal's clock. A member that a
   * person, a shift or an id has placed may lie beyond.
   */
  endsAt: string
  method: string
  certificate: string
  verdict: string
  explanation: string
  /** The cause of a difference or of missing data in words, and the next step. Empty for all other settlements. */
  cause: string
  nextStep: string
  /** The part of the difference that the transactions of `explainedBy` account for, and the rest. */
  explainedAmount: string
  unexplainedAmount: string
  /** Transaction ids, separated by `;`. */
  explainedBy: string
  /** Single causes that would account for the difference, if none is claimed. */
  candidates: string
  /** The time of a transaction that decides on this terminal: created or lastModified. */
  clock: string
  /** Other sets within the stated bound that give the same net. */
  rivals: number
  /**
   * The members, and other transactions of the terminal within six hours of either cut-off, in order of the clock.
   */
  transactions: ExplainedTransaction[]
  /** The exceptions, with the values of exceptions.csv. */
  exceptions: ExplainedException[]
}

export interface ExplainedException {
  code: string
  subjectType: string
  subjectId: string
  detail: string
  state: string
}

/**
 * Reads the explanation of one settlement after the models ran. Throws usage for a settlement that they do not have.
 */
export async function explanationOf(
  connection: DuckDBConnection,
  settlementId: string,
): Promise<Explanation> {
  await connection.run('set variable explained_id = $1::bigint', [settlementId])
  const evidence = await evidenceOn(connection)
  const [head] = await readExplained(connection, 'explained_settlement')
  if (head === undefined) throw new Failure('usage', `settlement ${settlementId} is not judged`)
  return {
    ...evidence,
    ...(head as Omit<Explanation, keyof Evidence | 'rivals' | 'transactions' | 'exceptions'>),
    rivals: Number(head['rivals']),
    transactions: (await readExplained(connection, 'explained_transaction')).map((row) => ({
      ...(row as Omit<ExplainedTransaction, 'inside'>),
      inside: row['inside'] === 'true',
    })),
    exceptions: await readExplained(connection, 'explained_exception'),
  }
}
