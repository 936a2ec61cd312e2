/** The streaming of a long result, with a check that it is complete. */
import { ResultReturnType, type DuckDBConnection, type DuckDBResult } from '@duckdb/node-api'
import { Failure } from '../../domain/failure.ts'

/**
 * Yields `read` of each piece of a select's result. Throws lake_unreachable if the result ends too
 * early. Only the state of the result shows this.
 */
export async function* streamed<T>(
  connection: DuckDBConnection,
  select: string,
  read: (result: DuckDBResult) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const result = await connection.stream(select)
  yield* read(result)
  if (result.returnType !== ResultReturnType.INVALID) return
  throw new Failure('lake_unreachable', 'a result of the lake ended too early')
}
