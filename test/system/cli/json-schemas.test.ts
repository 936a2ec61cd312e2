/**
 * Goal: a program can rely on the JSON that commands print, and on manifest.json. Method: each command runs over a small
 * world, and its output is compared with the schema that the command line prints.
 */
import { Ajv } from 'ajv'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { OUTPUT_NAMES, outputJsonSchema } from '../../../cli/schemas/json-schemas.ts'
import type { RunResult } from '../../../domain/run.ts'
import {
  newPlace,
  newPlaceWithLake,
  simulate,
  startTieout,
  tieout,
  type Place,
  type Started,
} from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { nextVersion } from '../../support/next-version.ts'
import { isSignedWith, receiveMessages, type Posted } from '../../support/webhook-receiver.ts'

const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-10-10', '--days', '40']
/** The answers of each command. */
const TRIED = new Map<string, unknown[]>()

let place: Place

/** Commands that start a server of their own, or another version of the program. */
const NEEDS_PROCESS = /^(run|reconcile|report|demo|upgrade|rollback)$/

/** Runs a command with --json and stores its output for the tests of the schemas. */
async function answerOf(name: string, args: readonly string[], at = place): Promise<unknown> {
  const run = NEEDS_PROCESS.test(name) ? tieout : tieoutHere
  const { stdout, stderr } = await run([...args, '--json'], at)
  expect(stdout, stderr).not.toBe('')
  const answer: unknown = JSON.parse(stdout)
  TRIED.set(name, [...(TRIED.get(name) ?? []), answer])
  return answer
}

async function answersOf(commands: readonly (readonly [string, readonly string[]])[]) {
  for (const [name, args] of commands) await answerOf(name, args)
}

const KnownAt = z.object({ knownAt: z.string() })
const Listed = z.array(z.object({ exceptionId: z.string(), subjectType: z.string() })).min(3)
const BECAUSE = ['--reason', 'x'] as const

const WEBHOOK_KEY = 'shared with the receiver'

let posted: readonly Posted[]
let worker: Started
let packs: Packs

// Each step has the time limit of a hook for itself.
beforeAll(async () => {
  const service = await simulate(WORLD, newPlace())
  const { url, posted: heard } = await receiveMessages()
  posted = heard
  place = newPlaceWithLake({
    ...{ ...service, TIEOUT_ACCOUNT: 'acme', TIEOUT_ACTOR: 'ann', TIEOUT_METRICS: 'off' },
    ...{ TIEOUT_WEBHOOK_URL: url, TIEOUT_WEBHOOK_KEY: WEBHOOK_KEY },
  })
  // A backfill is late after a tenth of a second. Nights of few records take less work with one thread.
  const config = 'webhook: { late_after_hours: 0.00003 }\nduckdb: { threads: 1 }\n'
  writeFileSync(join(place.cwd, 'tieout.yaml'), config)
  worker = startTieout(['worker'], place)
  await worker.says('worker ready')
  packs = await runs()
})
beforeAll(() => inspections(packs))
beforeAll(() => decisions(packs))
beforeAll(backfills)
beforeAll(operations)

async function operations(): Promise<void> {
  await answersOf([
    ...['apply', 'show', 'trigger', 'pause', 'resume'].map(
      (verb) => [`schedule ${verb}`, ['schedule', verb]] as const,
    ),
    ['maintain', ['maintain']],
    ['maintain --backup', ['maintain', '--backup', join(place.cwd, 'backup')]],
    ['maintain --rotate-key', ['maintain', '--rotate-key', ...BECAUSE]],
  ])
  worker.kill('SIGTERM')
  await worker.ended
  TRIED.set(
    'webhook',
    posted.map(({ body }) => JSON.parse(body)),
  )
  await answerOf('maintain --restore', ['maintain', '--restore', join(place.cwd, 'backup')])
  const next = { ...place, program: nextVersion() }
  await answerOf('upgrade', ['upgrade'])
  await answerOf('upgrade', ['upgrade'], next)
  await answerOf('rollback', ['rollback'], next)
  const demo = ['--transactions', '300', '--lake', 'demo/lake', '--out', 'demo/out']
  await answerOf('demo', ['demo', ...demo], newPlace())
}

interface Packs {
  pack: string
  later: string
}

async function runs(): Promise<Packs> {
  await answerOf('run --dry-run', ['run', '--dry-run'])
  const { pack } = (await answerOf('run', ['run'])) as RunResult
  TRIED.set('manifest', [JSON.parse(readFileSync(join(pack, 'manifest.json'), 'utf8'))])
  await answerOf('reconcile', ['reconcile'])
  const { pack: later } = (await answerOf('report', ['report'])) as RunResult
  return { pack, later }
}

async function inspections({ pack, later }: Packs): Promise<void> {
  const [, ...settlements] = readFileSync(join(pack, 'settlements.csv'), 'utf8').split('\r\n')
  const idOf = (row = '') => row.split(',')[1] ?? ''
  const pending = settlements.find((row) => row.includes(',PENDING,'))
  await answersOf([
    ['status', ['status']],
    ['explain', ['explain', idOf(settlements[0])]],
    ['explain', ['explain', idOf(pending)]],
    ['verify', ['verify', pack]],
    ['prove', ['prove', pack]],
    ['prove', ['prove', pack, '--known-at', KnownAt.parse(TRIED.get('manifest')?.[0]).knownAt]],
    ['diff', ['diff', pack, later]],
    ['init', ['init', '--config', join(place.cwd, 'new.yaml')]],
    ['chart', ['chart', '--config', join(place.cwd, 'new.yaml')]],
    ['config show', ['config', 'show']],
    ['config validate', ['config', 'validate']],
    ['doctor', ['doctor']],
    ['doctor --source', ['doctor', '--source']],
    ['completion', ['completion', 'bash']],
    ['error', ['explain', 'no-id']],
  ])
}

async function decisions({ pack, later }: Packs): Promise<void> {
  const listed = Listed.parse(await answerOf('exceptions list', ['exceptions', 'list']))
  const [one = '', ...others] = listed.slice(0, 3).map(({ exceptionId }) => exceptionId)
  const rows = readFileSync(join(pack, 'attributions.csv'), 'utf8').split('\r\n')
  const [, transaction = '', settlement = ''] = rows[1]?.split(',') ?? []
  const october = { period: '2026-10', by: ['--by', 'bob', ...BECAUSE] }
  const on = (verb: string, ids: readonly string[], more: readonly string[] = BECAUSE) =>
    [`exceptions ${verb}`, ['exceptions', verb, ...ids, ...more]] as const
  await answersOf([
    on('show', [one], []),
    on('assign', [one], ['--to', 'bob']),
    on('assign', others, ['--to', 'bob']),
    on('waive', [one], [...BECAUSE, '--until', '2029-12-01']),
    on('reopen', [one]),
    on('resolve', [one]),
    on('resolve', others),
    on('export', [], ['--output', join(place.cwd, 'e.csv')]),
  ])
  const decided = ['exceptionId,decision,to,until,clearTo,date,reason', `${one},reopen,,,,,x`]
  writeFileSync(join(place.cwd, 'decided.csv'), decided.join('\r\n'))
  const record = {
    settlementId: 900_000_001,
    terminalId: 900_001,
    status: 'COMPLETE',
    amountNet: '5.00',
  }
  const file = join(place.cwd, 'late.ndjson')
  writeFileSync(file, `${JSON.stringify({ ...record, created: '2026-10-10T10:00:00Z' })}\n`)
  const list = ['--list', 'settlements']
  await answersOf([
    on('apply', [join(place.cwd, 'decided.csv')], []),
    ['attribute', ['attribute', transaction, '--to', settlement, ...BECAUSE]],
    ['attribute', ['attribute', transaction, '--undo', ...BECAUSE]],
    ['approve --refuse', ['approve', later, '--by', 'bob', '--refuse', 'x']],
    ['approve', ['approve', later, '--by', 'bob', '--yes']],
    ['verify', ['verify', later]],
    [
      'periods close',
      ['periods', 'close', october.period, '--accept-open', 'a test', ...october.by],
    ],
    ['periods list', ['periods', 'list']],
    ['periods reopen', ['periods', 'reopen', october.period, ...october.by]],
    ['import --check', ['import', file, ...list, '--check']],
    ['import', ['import', file, ...list]],
    ['error', ['reconcile', '--min-certificate', 'contiguous']],
    ['maintain --erase', ['maintain', '--erase', transaction, ...BECAUSE]],
  ])
}

async function backfills(): Promise<void> {
  const range = ['backfill', '--from', '2026-10-20', '--to', '2026-10-22']
  const long = ['backfill', '--from', '2026-10-12', '--to', '2026-11-15', '--chunk-days', '1']
  await answersOf([
    ['backfill --plan', [...range, '--plan']],
    ['backfill', range],
    ['backfill --detach', [...long, '--detach']],
    ['backfill pause', ['backfill', 'pause']],
    ['backfill slow', ['backfill', 'slow', '2']],
    ['backfill resume', ['backfill', 'resume']],
    ['backfill cancel', ['backfill', 'cancel']],
    ['backfill status', ['backfill', 'status']],
  ])
}

test('each output that has a schema was tried', () => {
  expect([...TRIED.keys()].sort()).toEqual(OUTPUT_NAMES.toSorted())
})

test.each(OUTPUT_NAMES)('the output of %s is as its schema says', (name) => {
  const ajv = new Ajv({ allErrors: true, strict: true })
  const isValid = ajv.compile(outputJsonSchema(name))
  for (const answer of TRIED.get(name) ?? []) {
    isValid(answer)
    expect(isValid.errors ?? [], JSON.stringify(answer)).toEqual([])
  }
})

test('verify names who approved and who prepared, as approval.json does', () => {
  const {
    approvedBy: by,
    approvedAt: at,
    preparedBy,
  } = JSON.parse(readFileSync(join(packs.later, 'approval.json'), 'utf8'))
  expect(by).toBe('bob')
  expect(TRIED.get('verify')?.map((answer) => (answer as { approval?: object }).approval)).toEqual([
    undefined,
    expect.objectContaining({ by, at, preparedBy }),
  ])
})

test('the webhook gets signed messages about packs, a withheld run and a late backfill, each with a command', () => {
  expect(posted.filter((one) => !isSignedWith(WEBHOOK_KEY, one))).toEqual([])
  const first = (event: string) =>
    posted.map(({ body }) => JSON.parse(body)).find((message) => message.event === event)
  expect(first('published')).toMatchObject({ account: 'acme', pack: packs.pack })
  expect(first('late')).toMatchObject({ isBackfill: true, command: 'tieout backfill status' })
  expect(first('withheld')).toMatchObject({
    ...{ severity: 'error', error: { code: 'certificate_too_low' } },
    ...{ command: 'tieout status --account acme', next: 'tieout run, at a less busy hour' },
    settlements: { total: expect.any(Number) },
    unexplained: { currency: 'USD', gross: expect.stringMatching(/^\d+\.\d\d$/) },
  })
})

test('a schema refuses a count that is text, an amount that is a number, and a key that is absent', () => {
  const errorsOf = (name: string, change: (answer: Record<string, unknown>) => void) => {
    const answer = structuredClone(TRIED.get(name)?.[0]) as Record<string, unknown>
    change(answer)
    const isValid = new Ajv().compile(outputJsonSchema(name))
    isValid(answer)
    return (isValid.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
  }
  expect(errorsOf('verify', (answer) => (answer['files'] = '12'))).toEqual(['/files type'])
  expect(errorsOf('explain', (answer) => (answer['reportedNet'] = 12.5))).toContainEqual(
    expect.stringMatching(/^\/reportedNet /),
  )
  expect(errorsOf('manifest', (answer) => delete answer['knownAt'])).toEqual([' required'])
})

test('the command line prints a schema with its version, and names the outputs for an unknown one', async () => {
  const { stdout } = await tieoutHere(['config', 'schema', 'periods list'], place)
  expect(JSON.parse(stdout)).toEqual(outputJsonSchema('periods list'))
  expect(JSON.parse(stdout)).toMatchObject({
    title: 'tieout periods list --json, version 1',
    $id: 'tieout:periods-list:1',
  })
  const unknown = await tieoutHere(['config', 'schema', 'period'], place)
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('name one of: manifest, error, run')
})
