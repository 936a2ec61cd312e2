/** Pages over small tables in the place of the lake's views, for a reviewer. */
import { DuckDBInstance } from '@duckdb/node-api'
import { Hono } from 'hono'
import type { App, Console } from '../../../web/parts/console.tsx'
import type { Env } from '../../../web/parts/guard.ts'
import { ONLY } from '../../../web/parts/link.tsx'
import type { Cells, Reading } from '../../../web/parts/reader.ts'

/** Runs the statements, and returns the pages that `add` adds. The account is acme. */
export async function pagesOver(
  statements: string,
  add: (app: App, console: Console) => void,
): Promise<(path: string) => Promise<string>> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(statements)
  const rows = async ({ sql, values = [], limit = 2000 }: Reading): Promise<Cells[]> => {
    const select = `select columns(*)::varchar from (${sql}) limit ${limit}`
    const reader = await connection.runAndReadAll(select, [...values])
    return reader.getRowObjectsJson() as unknown as Cells[]
  }
  const row = async (reading: Reading) => (await rows({ ...reading, limit: 1 }))[0]
  const console = {
    settings: { account: 'acme', timezone: 'UTC', currency: 'USD' },
    ...{ branch: ONLY, reader: { rows, row } },
  } as unknown as Console
  const app = new Hono<Env>()
  app.use(async (context, next) => {
    context.set('person', { name: 'Ann', role: 'reviewer', formToken: '' })
    await next()
  })
  app.onError((error, context) => context.text(error.stack ?? error.message, 500))
  add(app, console)
  return async (path) => {
    const answer = await app.request(path)
    return answer.status === 303 ? `to ${answer.headers.get('location')}` : answer.text()
  }
}
