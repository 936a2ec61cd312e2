/** What is told of one settlement: its numbers, the evidence, the transactions around it and its exceptions. */
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
  /** True where it is in the settlement. */
  inside: boolean
  /** Whether it is before the stretch from the cut-off before to this one, within, or after: a member may lie outside. */
  lies: 'before' | 'within' | 'after'
  /** What stands out about it, or where else it is. */
  note: string
}

export interface Explanation extends Evidence {
  settlementId: string
  /** The published run that says the same; empty where everything was computed anew. */
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
  /** As settlements.csv has it: created of its last transaction, wherever that lies. */
  cutoff: string
  /** The cut-off: time of the last transaction before what follows, by the clock. A member that a person, a shift or an id has placed may lie beyond. */
  endsAt: string
  method: string
  certificate: string
  verdict: string
  explanation: string
  /** The part of the difference that the transactions of `explainedBy` account for, and the rest. */
  explainedAmount: string
  unexplainedAmount: string
  /** Transaction ids, `;`-separated. */
  explainedBy: string
  /** Single causes that would account for the difference, where none is claimed. */
  candidates: string
  /** Which time of a transaction decides here: created or lastModified. */
  clock: string
  /** Other sets within the stated bound that give the same net. */
  rivals: string
  /** The members, and the terminal's neighbours within six hours of either cut-off, in order of the clock. */
  transactions: ExplainedTransaction[]
  /** As exceptions.csv has them. */
  exceptions: ExplainedException[]
}

export interface ExplainedException {
  code: string
  subjectType: string
  subjectId: string
  detail: string
  state: string
}

/** Reads one settlement after the models ran. Throws usage for one that they don't have. */
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
    ...(head as Omit<Explanation, keyof Evidence | 'transactions' | 'exceptions'>),
    transactions: (await readExplained(connection, 'explained_transaction')).map((row) => ({
      ...(row as Omit<ExplainedTransaction, 'inside'>),
      inside: row['inside'] === 'true',
    })),
    exceptions: (await readExplained(
      connection,
      'explained_exception',
    )) as unknown as ExplainedException[],
  }
}
