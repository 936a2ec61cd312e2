/**
 * Goal: a person upgrades a lake, goes back and restores a backup without losing a record or changing a number. Method:
 * two programs, of which one has a file of the schema more, and a lake in PostgreSQL and an object store. The long test
 * does the same with a lake in a folder.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import { newPlace, newPlaceWithLake, startTieout, type Place } from '../../support/built.ts'
import { nextVersion } from '../../support/next-version.ts'
import { needs } from '../../support/outside-program.ts'
import { startServices, type Services } from '../../support/services.ts'
import { expectSame, json, OWN, refused, startService, upgradedAndBack } from './upgraded.ts'

const isShared = needs('postgresql') && needs('moto')
let services: Services | undefined
let service: Record<string, string>
let program: string

beforeAll(async () => {
  service = await startService()
  program = nextVersion()
  if (isShared) services = await startServices()
})

afterAll(() => services?.stop())

test('a lake that a worker uses is neither upgraded nor put back, nor served by a second worker', async () => {
  const place = newPlaceWithLake({ ...service, TIEOUT_METRICS: 'off' })
  const worker = startTieout(['worker'], place)
  const said = await worker.says('worker ready')
  const [, TEMPORAL_ADDRESS = ''] = /worker ready: Temporal (\S+),/.exec(said) ?? []
  for (const command of ['upgrade', 'rollback'])
    await refused({ ...place, program }, 6, 'lake_locked', command)
  const second = await startTieout(['worker'], place).ended
  expect(second).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(
      /lake_locked: a worker, process \d+, serves .*; next: use that worker/,
    ),
  })
  // On another machine only the Temporal service shows the worker.
  const elsewhere = newPlaceWithLake({ ...place.env, TEMPORAL_ADDRESS })
  const waiting = startTieout(['upgrade'], elsewhere)
  await waiting.says('waiting for workers to leave Temporal')
  waiting.kill('SIGINT')
  expect(await waiting.ended).toMatchObject({ code: 130 })
  worker.kill('SIGTERM')
  await worker.ended
  expect(await json({ ...place, program }, 'upgrade')).toMatchObject({ to: OWN + 1 })
})

describe('a lake in PostgreSQL and an object store', () => {
  let shared: Place
  let first: RunResult
  let backup: string

  test('is upgraded and put back', async (context) => {
    if (services === undefined) context.skip('PostgreSQL or moto is not installed')
    const lake = await services?.lake('upgraded')
    shared = newPlace({ ...service, ...lake, TIEOUT_METRICS: 'off' })
    first = await upgradedAndBack(shared, program)
  })

  test('has a copy that is a complete lake in a folder', async (context) => {
    if (services === undefined) context.skip('PostgreSQL or moto is not installed')
    backup = join(shared.cwd, 'backup')
    await json(shared, 'maintain', '--backup', backup)
    await refused(shared, 5, 'would_overwrite', 'maintain', '--restore', backup)
    const { TIEOUT_LAKE: _lake, TIEOUT_LAKE_DATA: _data, ...rest } = shared.env
    const local = newPlace(rest)
    expect(await json(local, 'maintain', '--restore', backup)).toMatchObject({ backup })
    await expectSame(local, first)
  })

  test('is restored into an empty database and an empty bucket', async (context) => {
    if (services === undefined) context.skip('PostgreSQL or moto is not installed')
    const empty = newPlace({ ...shared.env, ...(await services?.lake('restored')) })
    expect(await json(empty, 'maintain', '--restore', backup)).toMatchObject({ backup })
    await expectSame(empty, first)
  })
})
