/**
 * Goal: a user's evening works with nothing but variables. Method: the service in one process, the same run twice in
 * two others.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import { PACK_FILES } from '../../../reports/pack/pack-files.ts'
import {
  newPlace,
  newPlaceWithLake,
  processesIn,
  simulate,
  tieout,
  type Ended,
  type Place,
} from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '3', '--transactions', '2000', '--from', '2026-09-10', '--days', '55']
const RANGE = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]

let place: Place
let first: Ended
let second: Ended

beforeAll(async () => {
  const service = await simulate([...WORLD, '--now', NOW], newPlace())
  place = newPlaceWithLake({
    ...service,
    TIEOUT_ACCOUNT: 'acme',
    TIEOUT_TIMEZONE: 'America/New_York',
  })
  first = await tieout(['run', ...RANGE, '--json'], place)
  second = await tieout(['run', ...RANGE, '--json'], place)
})

const resultOf = ({ stdout }: Ended): RunResult => JSON.parse(stdout)
const fileOf = (pack: string, name: string) => readFileSync(join(pack, name), 'utf8')
const rowsOf = (pack: string, name: string) => {
  const [header = '', ...lines] = fileOf(pack, name).trimEnd().split('\r\n')
  const names = header.split(',')
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])),
  )
}

/** A file without the one control total that counts what every sweep read. */
const withoutSweeps = (pack: string, name: string) =>
  fileOf(pack, name).replace(/^records listed = records landed,.*\r\n/m, '')

test('a run with nothing but variables ends well, with one JSON document on stdout', () => {
  expect([first.code, second.code]).toEqual([0, 0])
  expect(first.stdout.trimEnd()).not.toContain('\n')
  expect(resultOf(first)).toMatchObject({
    account: 'acme',
    window: { from: '2026-10-01', to: '2026-10-30' },
    asOf: NOW,
    certificate: 'CONTIGUOUS',
  })
  expect(resultOf(first).headline.tied).toBeGreaterThan(20)
})

test('the pack is in its documented folder, whole, and its manifest names every file', () => {
  const { pack, runId } = resultOf(first)
  expect(pack).toBe(join(place.cwd, 'out', 'acme', '2026-10-01_2026-10-30', runId))
  const found = readdirSync(pack, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(pack, name)).isFile())
    .sort()
  const promised = [
    ...PACK_FILES.map(({ name }) => name),
    'manifest.json',
    'summary.html',
    'summary.xlsx',
  ]
  expect(found).toEqual(expect.arrayContaining(promised))
  expect(found.filter((name) => !name.startsWith('accounting/'))).toEqual(
    promised.filter((name) => !name.startsWith('accounting/')).sort(),
  )
  const manifest: { files: { name: string; bytes: number; sha256: string }[] } = JSON.parse(
    fileOf(pack, 'manifest.json'),
  )
  expect(manifest.files.map(({ name }) => name).sort()).toEqual(
    found.filter((name) => name !== 'manifest.json'),
  )
  for (const { name, bytes, sha256 } of manifest.files) {
    const content = readFileSync(join(pack, name))
    expect([name, content.length]).toEqual([name, bytes])
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  }
  expect(rowsOf(pack, 'control_totals.csv').filter(({ pass }) => pass !== 'true')).toEqual([])
})

test('latest names the newest pack, and nothing is beside the packs', () => {
  const account = join(place.cwd, 'out', 'acme')
  expect(readdirSync(account).sort()).toEqual(['2026-10-01_2026-10-30', 'latest'])
  expect(join(account, readlinkSync(join(account, 'latest')))).toBe(resultOf(second).pack)
  const packs = [first, second].map((end) => resultOf(end).runId)
  expect(readdirSync(join(account, '2026-10-01_2026-10-30')).sort()).toEqual(packs.sort())
})

test('the same run again finds no new version and changes no number', () => {
  const [before, after] = [resultOf(first), resultOf(second)]
  expect(after.headline).toEqual(before.headline)
  expect(after.exceptions).toEqual(before.exceptions)
  const sweeps = rowsOf(after.pack, 'sweeps.csv')
  const again = sweeps.slice(rowsOf(before.pack, 'sweeps.csv').length)
  expect(again.map(({ list }) => list)).toEqual(
    expect.arrayContaining(['terminals', 'settlements', 'transactions']),
  )
  expect(again.map(({ newVersions }) => newVersions)).toEqual(again.map(() => '0'))
  for (const { name } of PACK_FILES.filter(({ name }) => name !== 'sweeps.csv')) {
    expect(withoutSweeps(after.pack, name), name).toBe(withoutSweeps(before.pack, name))
  }
})

test('no secret and no personal data is printed', () => {
  for (const { stdout, stderr } of [first, second]) {
    expect(stdout + stderr).not.toContain(place.env['TIEOUT_API_PASSWORD'])
    expect(stdout + stderr).not.toContain(place.env['TIEOUT_APPLICATION_KEY'])
  }
})

test('the Temporal server ended with the run', () => {
  expect(processesIn(place.cwd)).toEqual([])
  expect(existsSync(join(place.cwd, 'data', 'temporal', 'server.json'))).toBe(false)
})

describe('later commands on the landed records', () => {
  /** Without credentials: only what is landed may be needed. */
  const offline = (): Place => ({
    cwd: place.cwd,
    env: { TIEOUT_ACCOUNT: 'acme', TIEOUT_TIMEZONE: 'America/New_York' },
  })

  test('reconcile gives the same numbers, and ends with the code for open errors if requested', async () => {
    const asked = ['reconcile', ...RANGE, '--fail-on', 'error', '--json']
    const again = await tieout(asked, offline())
    expect(again.code).toBe(1)
    const { pack, headline } = resultOf(again)
    expect(headline).toEqual(resultOf(first).headline)
    for (const { name } of PACK_FILES) {
      expect(fileOf(pack, name), name).toBe(fileOf(resultOf(second).pack, name))
    }
    expect(processesIn(place.cwd)).toEqual([])
  })

  test('report for a landing number gives the knowledge of that landing', async () => {
    const { knownAt, pack } = resultOf(first)
    const asked = ['report', ...RANGE, '--known-at', knownAt, '--out', 'elsewhere', '--json']
    const known = await tieout(asked, offline())
    expect(known.code).toBe(0)
    const then = resultOf(known)
    expect(then.knownAt).toBe(knownAt)
    expect(then.pack).toContain(join(place.cwd, 'elsewhere', 'acme'))
    for (const { name } of PACK_FILES) {
      expect(fileOf(then.pack, name), name).toBe(fileOf(pack, name))
    }
  })

  test('explain agrees with settlements.csv', async () => {
    const [row] = rowsOf(resultOf(second).pack, 'settlements.csv').filter(
      ({ verdict }) => verdict === 'BREAK',
    )
    const id = row?.['settlementId'] ?? ''
    const asked = ['explain', id, '--as-of', NOW]
    const told = await tieoutHere(asked, offline())
    const json = await tieoutHere([...asked, '--json'], offline())
    expect([told.code, json.code]).toEqual([0, 0])
    expect(told.stdout).toContain(`settlement ${id}, terminal ${row?.['terminalId']}`)
    for (const word of ['reported', 'computed', 'difference', 'cut-off', 'method', 'certificate']) {
      expect(told.stdout).toContain(`  ${word} `)
    }
    expect(JSON.parse(json.stdout)).toMatchObject({
      settlementId: id,
      reportedNet: row?.['reportedNet'],
      computedNet: row?.['computedNet'],
      difference: row?.['difference'],
      verdict: 'BREAK',
      method: row?.['method'],
      certificate: row?.['certificate'],
    })
  })

  test('too weak a certificate withholds the pack', async () => {
    const { code, stdout, stderr } = await tieout(
      ['reconcile', ...RANGE, '--min-certificate', 'snapshot', '--out', 'withheld'],
      offline(),
    )
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('error certificate_too_low: the sweeps are only CONTIGUOUS')
    expect(existsSync(join(place.cwd, 'withheld'))).toBe(false)
  })

  test('doctor reports no fault, and leaves nothing behind', async () => {
    const { code, stdout } = await tieoutHere(['doctor', '--json'], place)
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean }[] }
    expect(checks.filter(({ ok }) => !ok)).toEqual([])
    expect(checks.map(({ name }) => name)).toEqual([
      'node',
      'settings',
      'temporal',
      'lake',
      'lake files',
      'output',
      'service',
    ])
    expect(code).toBe(0)
    expect(processesIn(place.cwd)).toEqual([])
  })

  test('doctor without credentials names the variable, and ends with the code of that failure', async () => {
    const { code, stdout } = await tieoutHere(['doctor'], offline())
    expect(code).toBe(2)
    expect(stdout).toMatch(/^FAIL {2}service +error config_missing: TIEOUT_BASE_URL is not set/m)
    expect(stdout.match(/^FAIL/gm)).toHaveLength(1)
  })
})
