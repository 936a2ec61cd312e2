import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { maintainCommand } from '../../../cli/schedule/maintain.ts'
import type { Context } from '../../../cli/shell/context.ts'
import { Interrupted } from '../../../cli/shell/interrupted.ts'
import { openTerminal } from '../../../cli/shell/terminal.ts'
import type { RunResult } from '../../../domain/run.ts'
import {
  newPlace,
  newPlaceWithLake,
  processesIn,
  simulate,
  startTieout,
  tieout,
} from '../../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '2', '--transactions', '1000', '--from', '2026-09-10', '--days', '55']
const RUN = ['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW, '--json']

let service: Record<string, string>
beforeAll(async () => {
  // Small pages that take their time: the signal comes while the sweep is at work.
  const slowly = ['--limit-cap', '100', '--latency-ms', '150']
  service = await simulate([...WORLD, ...slowly, '--now', NOW], newPlace())
})

/** Names of all that lies below a folder, the folders too. */
const below = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []

describe.concurrent('a run that is interrupted', () => {
  test.each([
    ['SIGINT', 130, 'sweeping'],
    ['SIGTERM', 143, 'reconciling'],
  ] as const)(
    'by %s ends with %d while %s, and leaves nothing behind; the same command goes on with it',
    async (signal, exit, stage) => {
      const place = newPlace(service)
      const run = startTieout(RUN, place)
      await run.says(`${stage} ...`)
      expect(processesIn(place.cwd).some(({ command }) => command.includes('start-dev'))).toBe(true)
      run.kill(signal)
      const { code, stdout, stderr } = await run.ended
      expect({ code, stdout, stderr }).toMatchObject({ code: exit, stdout: '' })
      expect(stderr).toContain('interrupted; this command is ending (a second signal')
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(
        'interrupted; landed records are saved, and the same command continues',
      )
      expect(processesIn(place.cwd)).toEqual([])
      expect(below(join(place.cwd, 'out'))).toEqual([])

      const again = await tieout(RUN, place)
      expect([again.code, again.stderr.includes('error')]).toEqual([0, false])
      const { pack, headline } = JSON.parse(again.stdout) as RunResult
      expect(headline.tied).toBeGreaterThan(10)
      expect(readdirSync(join(pack, '..'))).toHaveLength(1)
      expect(processesIn(place.cwd)).toEqual([])
    },
  )

  test.each([
    ['while the server starts', 'data/temporal/starting', ['reconcile', ...RUN.slice(1)]],
    ['while the server answers', 'data/temporal/server.json', RUN],
    ['while the lake is opened', 'data/catalog.sqlite', RUN],
  ])('%s leaves nothing behind', async (_when, file, args) => {
    const place = newPlace(service)
    const run = startTieout(args, place)
    while (!existsSync(join(place.cwd, file))) await sleep(2)
    run.kill('SIGTERM')
    expect(await run.ended).toMatchObject({ code: 143, stdout: '' })
    expect(processesIn(place.cwd)).toEqual([])
    expect(below(join(place.cwd, 'out'))).toEqual([])
  })

  test('while its pack is written publishes none, and a second signal does not wait', async () => {
    const place = newPlace(service)
    const packs = () => below(join(place.cwd, 'out'))
    const isWriting = () => packs().some((name) => name.endsWith('.partial'))
    const first = startTieout(RUN, place)
    while (!isWriting()) await sleep(2)
    first.kill('SIGINT')
    expect((await first.ended).code).toBe(130)
    expect(packs().filter((name) => name.endsWith('manifest.json'))).toEqual([])

    const second = startTieout(RUN, place)
    while (!isWriting()) await sleep(2)
    second.kill('SIGINT')
    await second.says('a second signal ends the process at once')
    second.kill('SIGINT')
    expect((await second.ended).code).toBe(130)
    const isPack = (name: string) => name.endsWith('manifest.json') && !name.includes('.partial')
    expect(packs().filter(isPack)).toEqual([])
    await vi.waitFor(() => expect(processesIn(place.cwd)).toEqual([]), { timeout: 20_000 })

    // The next command goes on with what a sweep has read, and gives up a report.
    const report = startTieout(['report', '--from', '2026-10-01', '--to', '2026-10-05'], place)
    await report.says('was interrupted; it goes on beside this command')
    await report.says('reconciling ...')
    report.kill('SIGINT')
    expect((await report.ended).code).toBe(130)
    const next = await tieout(['report', '--from', '2026-10-10', '--to', '2026-10-12'], place)
    expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining('it is given up') })
    const published = packs().filter(isPack).join(' ')
    expect(published).toContain('2026-10-10_2026-10-12')
    expect(published).not.toContain('2026-10-01_2026-10-05')
  })

  test('with SIGKILL, which no program can catch, takes its server with it', async () => {
    const place = newPlace(service)
    const run = startTieout(RUN, place)
    await run.says('sweeping ...')
    run.kill('SIGKILL')
    expect((await run.ended).code).toBe(null)
    await vi.waitFor(() => expect(processesIn(place.cwd)).toEqual([]), { timeout: 20_000 })
  })

  test('with its terminal closed takes its server with it', async () => {
    const place = newPlace(service)
    const run = startTieout(RUN, place)
    await run.says('sweeping ...')
    run.kill('SIGHUP')
    expect((await run.ended).code).toBe(143)
    expect(processesIn(place.cwd)).toEqual([])
  })
})

test('interrupted maintenance is begun again by the same command', async () => {
  const place = newPlaceWithLake({ TIEOUT_TIMEZONE: 'UTC' })
  const first = startTieout(['maintain'], place)
  // The command listens for signals before it starts a server.
  const server = join(place.cwd, 'data', 'temporal')
  while (!existsSync(server) || readdirSync(server).length === 0) await sleep(2)
  await sleep(500)
  first.kill('SIGINT')
  expect((await first.ended).code).toBe(130)
  expect((await tieout(['maintain'], place)).code).toBe(0)
})

test('maintenance that is interrupted before its server starts ends with the interruption alone', async () => {
  const unhandled: unknown[] = []
  const hear = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', hear)
  onTestFinished(() => void process.off('unhandledRejection', hear))
  const reason = new Interrupted('SIGTERM')
  const context: Context = {
    terminal: openTerminal(),
    signal: AbortSignal.abort(reason),
    exit: () => {},
    flagsOf: (flags) => ({ ...flags, lake: newPlaceWithLake({}).cwd }),
  }
  await expect(maintainCommand(context, {})).rejects.toBe(reason)
  expect(unhandled).toEqual([])
})

describe.concurrent('a command that runs until it is ended', () => {
  test('the demo takes its simulator and its server with it', async () => {
    const place = newPlace({ TIEOUT_LAKE: 'not-this-one', TIEOUT_TIMEZONE: 'Mars' })
    const folders = ['--lake', "a #?%20'b", '--out', 'out']
    const demo = startTieout(['demo', '--transactions', '3000', ...folders], place)
    const said = await demo.says('sweeping ...')
    expect(readdirSync(place.cwd)).toEqual([folders[1]])
    const simulator = /simulator (http:\S+):/.exec(said)?.[1] ?? ''
    await expect(fetch(simulator)).resolves.toBeDefined()
    demo.kill('SIGINT')
    const { code, stdout } = await demo.ended
    expect([code, stdout]).toEqual([130, ''])
    expect(processesIn(place.cwd)).toEqual([])
    await expect(fetch(simulator)).rejects.toThrow()
    expect(below(join(place.cwd, 'out'))).toEqual([])
  })

  test('a simulator ends without a word about runs', async () => {
    const place = newPlace()
    const alone = startTieout(['simulate', '--transactions', '100', '--days', '3'], place)
    await alone.says('Ctrl-C ends it')
    alone.kill('SIGINT')
    const { code, stderr } = await alone.ended
    expect(code).toBe(130)
    expect(stderr).not.toContain('the same command goes on')
    expect(processesIn(place.cwd)).toEqual([])
  })

  test('a run that a worker does goes on without its command, which says so', async () => {
    const place = newPlace(service)
    const worker = startTieout(['worker'], place)
    await worker.says('worker ready')
    const run = startTieout(RUN, place)
    await run.says('sweeping ...')
    run.kill('SIGTERM')
    const { code, stderr } = await run.ended
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
      143,
      'interrupted; the worker goes on with the run, and publishes its pack; the same command waits for it again',
    ])
    const isPublished = () => below(join(place.cwd, 'out')).some((name) => name.endsWith('latest'))
    await vi.waitFor(() => expect(isPublished()).toBe(true), { timeout: 60_000, interval: 200 })
    worker.kill('SIGTERM')
    await worker.ended
  })

  test('a backfill that a worker does goes on without its command, which says so', async () => {
    const place = newPlace(service)
    const worker = startTieout(['worker'], place)
    await worker.says('worker ready')
    const backfill = startTieout(['backfill', '--from', '2025-10-01', '--to', '2025-10-05'], place)
    await backfill.says('reading ...')
    backfill.kill('SIGTERM')
    const { code, stderr } = await backfill.ended
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
      143,
      expect.stringMatching(
        /^interrupted; the worker goes on with the backfill; the same command waits for it again; .*tieout backfill cancel ends it$/,
      ),
    ])
    worker.kill('SIGTERM')
    await worker.ended
  })

  test('a worker takes its own server with it', async () => {
    const place = newPlace(service)
    const worker = startTieout(['worker'], place)
    await worker.says('worker ready')
    worker.kill('SIGTERM')
    expect((await worker.ended).code).toBe(143)
    expect(processesIn(place.cwd)).toEqual([])
  })
})
