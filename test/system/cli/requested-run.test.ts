import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createPrepareRun } from '../../../activities/reconcile/prepare-run.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { ServedAccounts } from '../../../activities/runtime/served-accounts.ts'
import { requestOf, workflowIdOf, type RunFlags } from '../../../cli/run/run.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { startDevServer } from '../../../workers/temporal/dev-server.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { builtProject, newPlace } from '../../support/built.ts'
import { newFolder } from '../../support/lake-template.ts'
import { lakeSettingsIn, tempFolder } from '../../support/temp-lake.ts'
import { ringOf } from '../../support/key-ring.ts'

const RANGE = { from: '2026-10-01', to: '2026-11-01', failOn: 'never' }
const AS_OF = '2026-11-02T00:00:00Z'

/** A lake without records. */
const lakeFolder = newFolder()
const emptyLake = new SharedLake(lakeSettingsIn(lakeFolder), () => {})
afterAll(async () => {
  await emptyLake.close()
  rmSync(lakeFolder, { recursive: true, force: true })
})

const asked = (flags: Partial<RunFlags>) => {
  const settings = readSettings(flags, 'lake', {})
  return { settings, request: requestOf(settings, { ...RANGE, ...flags }, false) }
}
const idOf = (flags: Partial<RunFlags>) => {
  const { settings, request } = asked(flags)
  return workflowIdOf(settings, request)
}

test('a command goes on with a run of the same request, and never with one of another folder or form', () => {
  expect(idOf({})).toBe('reconcile/default/2026-10-01..2026-11-01')
  expect(idOf({ out: './out' })).toBe(idOf({}))
  expect(idOf({ out: '/packs/ada' })).toBe(idOf({ out: '/packs/ada' }))
  const ids = [{}, { out: '/packs/ada' }, { out: '/packs/bob' }, { csvProfile: 'excel' }].map(idOf)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.join()).not.toContain('ada')
})

test('a worker with settings of its own writes the files that the command requested', async () => {
  const { request } = asked({ csvProfile: 'excel', asOf: AS_OF })
  const worker = readSettings({}, 'lake', {})
  const run = await createPrepareRun(
    worker,
    emptyLake,
  )({
    ...{ request, runId: 'r', startedAt: '2026-11-02T00:00:00Z' },
  })
  const served = new ServedAccounts([worker], {
    hashKeys: () => ringOf('h'),
    payloadKey: ringOf('p').first,
  })
  expect(served.settingsOf(run).csvProfile).toBe('excel')
  const { csvProfile: _, ...unasked } = run
  expect(served.settingsOf(unasked).csvProfile).toBe('machine')
})

test('an impossible output folder fails before anything is read, and nothing is made there', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'file'), '')
  const prepared = (out: string) => {
    const { settings, request } = asked({ out, asOf: AS_OF })
    return createPrepareRun(
      settings,
      emptyLake,
    )({ request, runId: 'r', startedAt: '2026-11-02T00:00:00Z' })
  }
  await expect(prepared(join(folder, 'file', 'packs'))).rejects.toMatchObject({
    code: 'config_invalid',
    message: `the output folder ${join(folder, 'file')} can't be written: a part of the path is not a folder (ENOTDIR)`,
  })
  await prepared(join(folder, 'not', 'yet', 'there'))
  expect(readdirSync(folder)).toEqual(['file'])
})

test('a lake that is a file fails with the name of the folder and the flag to change it', async () => {
  const file = join(tempFolder(), 'lake')
  writeFileSync(file, '')
  const told = {
    code: 'lake_unreachable',
    message: expect.stringContaining(`${file} can't be`),
    remedy: expect.stringContaining('--lake'),
  }
  await expect(openLake(lakeSettingsIn(file))).rejects.toMatchObject(told)
  const server = startDevServer(file, { owner: 'command', say: () => {} })
  await expect(server).rejects.toMatchObject(told)
})

test('a command whose reader has left works on and ends with its own code', () => {
  const { cwd, env } = newPlace()
  const program = join(builtProject(), 'bin', 'tieout.mjs')
  const line = '"$0" "$1" doctor 2>&1 | true; exit "${PIPESTATUS[0]}"'
  const { status } = spawnSync('bash', ['-c', line, process.execPath, program], { cwd, env })
  expect(status).toBe(2)
})
