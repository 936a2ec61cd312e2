import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  newPlace,
  newPlaceWithLake,
  simulate,
  startTieout,
  tieout,
  type Place,
} from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '45']
const RANGE = ['--from', '2026-10-20', '--to', '2026-10-30', '--as-of', NOW]

let place: Place

/** There are two services, each with a credential of its own, and a third account whose variable is not set. */
beforeAll(async () => {
  const [one, other] = await Promise.all(
    ['1', '2'].map((seed) => simulate([...WORLD, '--seed', seed, '--now', NOW], newPlace())),
  )
  place = newPlaceWithLake({
    TIEOUT_API_USER: one?.['TIEOUT_API_USER'] ?? '',
    TIEOUT_APPLICATION_KEY: one?.['TIEOUT_APPLICATION_KEY'] ?? '',
    ACME_PASSWORD: one?.['TIEOUT_API_PASSWORD'] ?? '',
    BOLT_PASSWORD: 'not-the-password',
  })
  writeFileSync(
    join(place.cwd, 'tieout.yaml'),
    `timezone: Europe/Berlin
accounts:
  - name: bolt
    base_url: ${other?.['TIEOUT_BASE_URL']}
    credentials: {password: BOLT_PASSWORD}
  - name: acme
    base_url: ${one?.['TIEOUT_BASE_URL']}
    credentials: {password: ACME_PASSWORD}
    timezone: America/New_York
  - name: cole
    base_url: ${one?.['TIEOUT_BASE_URL']}
    credentials: {password: COLE_PASSWORD}
`,
  )
})

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))

test('a run does every account; a wrong password and a missing variable stop only their own account’s run', async () => {
  const { code, stdout, stderr } = await tieout(['run', ...RANGE, '--json'], place)
  const [bolt, acme, cole] = linesOf(stdout)
  expect(bolt).toMatchObject({ account: 'bolt', exit: 3 })
  expect(bolt?.['error']).toMatchObject({ code: 'source_unauthorized' })
  expect(acme).toMatchObject({ account: 'acme', window: { from: '2026-10-20', to: '2026-10-30' } })
  const noPassword = expect.stringContaining('COLE_PASSWORD is not set')
  expect(cole).toMatchObject({
    account: 'cole',
    exit: 2,
    error: { code: 'config_missing', message: noPassword, next: expect.any(String) },
  })
  expect(stderr).not.toContain('error')
  // The worst of the three: no password is worse than a wrong one.
  expect(code).toBe(3)

  const manifest = JSON.parse(readFileSync(join(String(acme?.['pack']), 'manifest.json'), 'utf8'))
  expect(manifest.parameters.timezone).toBe('America/New_York')
  expect(existsSync(join(place.cwd, 'out', 'bolt'))).toBe(false)
  expect(stdout + stderr).not.toContain('not-the-password')
})

test('an account is chosen by its name, and a command about one settlement requires the choice', async () => {
  const chosen = await tieout(['reconcile', '--account', 'acme', ...RANGE], place)
  expect(chosen.code).toBe(0)
  expect(chosen.stdout).toMatch(/^2026-10-20 to 2026-10-30, /)
  const unknown = await tieoutHere(['run', '--account', 'acne', ...RANGE], place)
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('lists no account acne; it lists bolt, acme, cole'),
  ])
  const which = await tieoutHere(['explain', '1'], place)
  expect([which.code, which.stderr]).toEqual([
    2,
    expect.stringContaining('choose one with --account'),
  ])
})

test('a backup is of the lake and needs no account, and an erasure needs one', async () => {
  const backup = ['maintain', '--backup', join(place.cwd, 'backup')]
  const copied = await tieout(backup, place)
  expect([copied.code, copied.stdout]).toEqual([
    0,
    expect.stringMatching(/^\d+ files of .* copied to .*\/backup, which is a complete lake$/m),
  ])
  const erase = ['maintain', '--erase', '1', '--reason', 'a request', '--by', 'Ann']
  const refused = await tieoutHere(erase, place)
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('choose one with --account'),
  ])
})

test('every account has a schedule of its own, in its own time zone', async () => {
  await startTieout(['worker'], place).says('worker ready')
  const { code, stdout } = await tieoutHere(['schedule', 'apply', '--json'], place)
  expect(code).toBe(0)
  expect(linesOf(stdout)).toMatchObject([
    { scheduleId: 'nightly-bolt', timezone: 'Europe/Berlin' },
    { scheduleId: 'nightly-acme', timezone: 'America/New_York' },
    { scheduleId: 'nightly-cole', timezone: 'Europe/Berlin' },
  ])
  const show = await tieoutHere(['schedule', 'show', '--account', 'acme', '--json'], place)
  expect(linesOf(show.stdout)).toMatchObject([{ scheduleId: 'nightly-acme' }])
})
