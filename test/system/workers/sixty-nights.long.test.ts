/**
 * Goal: a worker that runs for months grows by nothing but its data. Method: one worker with its own Temporal server runs
 * sixty nights, and maintenance after every seventh. After each night the test reads what the kernel knows of both
 * processes. The last third is compared with the second.
 */
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cpuSecondsOf, memoryOf } from '../../../bench/run-measured.ts'
import { median } from '../../../bench/timed.ts'
import {
  newPlace,
  processesIn,
  simulate,
  startTieout,
  tieout,
  type Place,
} from '../../support/built.ts'

const NIGHTS = Number(process.env['TIEOUT_TEST_NIGHTS'] ?? '60')
const DAY_MS = 86_400_000
const FIRST_MS = Date.parse('2026-06-01T04:15:00Z')
const WORLD = [
  '--terminals',
  '4',
  '--transactions',
  '6000',
  '--from',
  '2026-05-01',
  '--days',
  '120',
]

/** The state of worker and server after a night. */
interface Night {
  worker_mb: number
  worker_files: number
  worker_sockets: number
  server_mb: number
  server_files: number
  server_sockets: number
  cpu_seconds: number
}

/** The numbers of open files and of sockets of a process. */
function handlesOf(pid: number): { files: number; sockets: number } {
  const folder = `/proc/${pid}/fd`
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name))
    } catch {
      return ''
    }
  })
  const sockets = targets.filter((target) => target.startsWith('socket:')).length
  return { files: targets.length - sockets, sockets }
}

/** The answer of `tieout maintain --json`: the lake's files after the merge, without replaced ones. */
const Maintained = z.object({ files: z.object({ after: z.number() }) })

/** Runs one night by a command that uses the worker of the place. */
async function night(place: Place, at: number): Promise<void> {
  const now = new Date(FIRST_MS + at * DAY_MS).toISOString()
  const moved = await fetch(new URL('/_simulator/advance', place.env['TIEOUT_BASE_URL']), {
    method: 'POST',
    body: JSON.stringify({ now }),
  })
  expect(moved.ok).toBe(true)
  const ended = await tieout(['run', '--as-of', now], place)
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
}

/** Maintains the lake, and returns the number of files that its tables have then. */
async function maintain(place: Place): Promise<number> {
  const { code, stdout, stderr } = await tieout(['maintain', '--json'], place)
  expect(code, stderr).toBe(0)
  return Maintained.parse(JSON.parse(stdout)).files.after
}

test(`${NIGHTS} nights of one worker leave memory, handles, files and work as they were`, async () => {
  const service = await simulate([...WORLD, '--now', new Date(FIRST_MS).toISOString()], newPlace())
  const place = newPlace(service)
  const worker = startTieout(['worker'], place)
  await worker.says('worker ready')
  const server = processesIn(place.cwd).find(({ command }) => command.includes('start-dev'))
  const server_pid = server?.pid ?? 0
  const nights: Night[] = []
  const filesAfter: number[] = []
  let before = cpuSecondsOf(worker.pid)
  for (let at = 0; at < NIGHTS; at += 1) {
    await night(place, at)
    if (at % 7 === 0) filesAfter.push(await maintain(place))
    const [ours, theirs] = [handlesOf(worker.pid), handlesOf(server_pid)]
    const used = cpuSecondsOf(worker.pid)
    nights.push({
      ...{ worker_mb: memoryOf(worker.pid).now_mb, server_mb: memoryOf(server_pid).now_mb },
      ...{ worker_files: ours.files, worker_sockets: ours.sockets },
      ...{ server_files: theirs.files, server_sockets: theirs.sockets },
      cpu_seconds: used - before,
    })
    before = used
    console.log(`night ${at + 1}: ${JSON.stringify(nights.at(-1))}`)
  }
  worker.kill('SIGTERM')
  await worker.ended

  const third = Math.floor(NIGHTS / 3)
  const [second, last] = [nights.slice(third, 2 * third), nights.slice(-third)]
  const of = (some: readonly Night[], name: keyof Night) => median(some.map((one) => one[name]))
  const growth = (name: keyof Night) => of(last, name) - of(second, name)
  // Allocators give memory back late. A leak of 0.5 MB a night would show as 10 MB.
  expect(growth('worker_mb')).toBeLessThan(30)
  expect(growth('server_mb')).toBeLessThan(30)
  for (const name of [
    'worker_files',
    'worker_sockets',
    'server_files',
    'server_sockets',
  ] as const) {
    expect(growth(name), name).toBeLessThanOrEqual(2)
  }
  // Maintenance merges the files of all nights before. Replaced files stay for 32 days, and no test can wait for that.
  console.log(`files after each maintenance: ${filesAfter.join(', ')}`)
  expect(filesAfter.at(-1)).toBeLessThan(1.5 * median(filesAfter))
  expect(of(last, 'cpu_seconds') / of(second, 'cpu_seconds')).toBeLessThan(1.5)
}, 7_200_000)
