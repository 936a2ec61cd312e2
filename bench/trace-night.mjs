/**
 * Records what a process of tieout does, for bench/small-night.ts: `node --import ./bench/trace-night.mjs …`. At its end
 * it writes steps, statements and requests into the file that TIEOUT_TEST_TRACE names, in milliseconds since its start,
 * and its CPU time.
 */
import { DuckDBConnection } from '@duckdb/node-api'
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { Activity } = createRequire(import.meta.url)('@temporalio/worker/lib/activity.js')

const HEAD = 200
const [steps, statements, requests] = [[], [], []]

function traced(prototype, method, record) {
  const before = prototype[method]
  prototype[method] = async function trace(...args) {
    const from = performance.now()
    try {
      return await before.apply(this, args)
    } finally {
      record({ from, to: performance.now() }, this, args)
    }
  }
}

traced(Activity.prototype, 'execute', (took, activity) =>
  steps.push({ ...took, name: activity.info.activityType }),
)
for (const method of ['run', 'stream']) {
  traced(DuckDBConnection.prototype, method, (took, _connection, [sql]) =>
    statements.push({ ...took, name: String(sql).slice(0, HEAD) }),
  )
}

const open = new WeakMap()
subscribe('undici:request:create', ({ request }) => open.set(request, performance.now()))
for (const end of ['trailers', 'error']) {
  subscribe(`undici:request:${end}`, ({ request }) =>
    requests.push({ from: open.get(request), to: performance.now(), name: request.path }),
  )
}

process.on('exit', () => {
  const cpu = process.cpuUsage()
  const trace = { steps, statements, requests, ended: performance.now(), cpu }
  writeFileSync(process.env.TIEOUT_TEST_TRACE, JSON.stringify(trace))
})
