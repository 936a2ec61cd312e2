/** Reads a long answer piece by piece, and says when it breaks off. */
import { ResultReturnType, type DuckDBConnection, type DuckDBResult } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'

/**
 * What `read` yields of the answer to a select. Throws lake_unreachable where the answer breaks off: to its reader it
 * would end like one that is whole, and only the result's own state tells them apart.
 */
export async function* streamed<T>(
  connection: DuckDBConnection,
  select: string,
  read: (result: DuckDBResult) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const result = await connection.stream(select)
  yield* read(result)
  if (result.returnType !== ResultReturnType.INVALID) return
  throw new Failure('lake_unreachable', 'an answer of the lake broke off before its end')
}
