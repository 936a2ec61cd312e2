/**
 * Goal: a program can rely on the JSON that commands print, and on manifest.json. Method: each command runs over a small
 * world, and its output is compared with the schema that the command line prints.
 */
import { Ajv } from 'ajv'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { OUTPUT_NAMES, outputJsonSchema } from '../../../cli/schemas/json-schemas.ts'
import type { RunResult } from '../../../domain/run.ts'
import { newPlaceWithLake, newPlace, simulate, tieout, type Place } from '../../support/built.ts'

const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-10-10', '--days', '40']
const TRIED = new Map<string, unknown>()

let place: Place

/** Runs a command with --json and stores its output for the tests of the schemas. */
async function answerOf(name: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await tieout([...args, '--json'], place)
  const answer: unknown = JSON.parse(stdout)
  TRIED.set(name, answer)
  return answer
}

const Listed = z.array(z.object({ exceptionId: z.string(), subjectType: z.string() })).min(1)

beforeAll(async () => {
  const service = await simulate(WORLD, newPlace())
  place = newPlaceWithLake({ ...service, TIEOUT_ACCOUNT: 'acme', TIEOUT_ACTOR: 'ann' })
  await answerOf('run --dry-run', ['run', '--dry-run'])
  const run = (await answerOf('run', ['run'])) as RunResult
  const { pack } = run
  TRIED.set('manifest', JSON.parse(readFileSync(join(pack, 'manifest.json'), 'utf8')))
  const { pack: later } = JSON.parse(
    (await tieout(['report', '--json'], place)).stdout,
  ) as RunResult
  const [{ exceptionId } = { exceptionId: '' }] = Listed.parse(
    await answerOf('exceptions list', ['exceptions', 'list']),
  )
  const [, first = ''] = readFileSync(join(pack, 'settlements.csv'), 'utf8').split('\r\n')
  const [, id = ''] = first.split(',')
  const month = ['periods', 'close', '2026-10', '--accept-open', 'a test', '--reason', 'a test']
  for (const [name, args] of [
    ['status', ['status']],
    ['explain', ['explain', id]],
    ['verify', ['verify', pack]],
    ['prove', ['prove', pack]],
    ['diff', ['diff', pack, later]],
    ['exceptions show', ['exceptions', 'show', exceptionId]],
    ['exceptions export', ['exceptions', 'export', '--output', join(place.cwd, 'e.csv')]],
    ['approve --refuse', ['approve', later, '--by', 'bob', '--refuse', 'x']],
    ['approve', ['approve', later, '--by', 'bob', '--yes']],
    [
      'exceptions waive',
      ['exceptions', 'waive', exceptionId, '--reason', 'x', '--until', '2029-12-01'],
    ],
    ['periods close', [...month, '--by', 'bob']],
    ['periods list', ['periods', 'list']],
    ['backfill status', ['backfill', 'status']],
    ['maintain', ['maintain']],
    ['maintain --backup', ['maintain', '--backup', join(place.cwd, 'backup')]],
    ['maintain --restore', ['maintain', '--restore', join(place.cwd, 'backup')]],
    ['init', ['init', '--config', join(place.cwd, 'new.yaml')]],
    ['chart', ['chart', '--config', join(place.cwd, 'new.yaml')]],
    ['config show', ['config', 'show']],
    ['config validate', ['config', 'validate']],
    ['doctor', ['doctor']],
    ['completion', ['completion', 'bash']],
    ['error', ['explain', 'no-id']],
  ] as const) {
    await answerOf(name, args)
  }
})

test('each output that has a schema was tried', () => {
  expect([...TRIED.keys()].sort()).toEqual(OUTPUT_NAMES.toSorted())
})

test.each(OUTPUT_NAMES)('the output of %s is as its schema says', (name) => {
  const ajv = new Ajv({ allErrors: true, strict: true })
  const isValid = ajv.compile(outputJsonSchema(name))
  isValid(TRIED.get(name))
  expect(isValid.errors ?? []).toEqual([])
})

test('a schema refuses a count that is text, an amount that is a number, and a key that is absent', () => {
  const errorsOf = (name: string, change: (answer: Record<string, unknown>) => void) => {
    const answer = structuredClone(TRIED.get(name)) as Record<string, unknown>
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
  const { stdout } = await tieout(['config', 'schema', 'periods list'], place)
  expect(JSON.parse(stdout)).toEqual(outputJsonSchema('periods list'))
  expect(JSON.parse(stdout)).toMatchObject({
    title: 'tieout periods list --json, version 1',
    $id: 'tieout:periods-list:1',
  })
  const unknown = await tieout(['config', 'schema', 'period'], place)
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('name one of: manifest, error, run')
})
