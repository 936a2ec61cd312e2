/**
 * Records what a process of tieout does, for bench/small-night.ts: `node --import ./bench/trace-night.mjs …`. At its end
 * it writes steps, statements and requests into the file that TIEOUT_TEST_TRACE names, in milliseconds since its start,
 * and its CPU time.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { recordStatements, traced } from './traced.mjs'

const { Activity } = createRequire(import.meta.url)('@temporalio/worker/lib/activity.js')

const steps = traced(Activity.prototype, ['execute'], ({ info }) => info.activityType)
const statements = recordStatements()
const requests = []

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
