import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { INSTEAD } from '../../../cli/doctor/doctor.ts'
import { FAILURES } from '../../../domain/failure.ts'
import { newPlace, simulate, type Place } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'

const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '45']

let place: Place
beforeAll(async () => {
  const service = await simulate([...WORLD, '--order', 'created-desc'], newPlace())
  place = newPlace({ ...service, TIEOUT_ACCOUNT: 'acme' })
})

test('doctor reports the traits of the service, for people and for programs', async () => {
  const text = await tieoutHere(['doctor', '--source'], place)
  expect(text.stderr).toBe('')
  expect(text.code).toBe(0)
  expect(text.stdout).toMatch(/^ok {4}source +acme, \d+ requests$/m)
  expect(text.stdout).toMatch(
    /^ {6}transactions: .*sorted by .*created, falling.*terminalId heeded/m,
  )
  expect(text.stdout).toMatch(/^ {6}settled flag: not known yet; 0 transactions/m)

  const { stdout } = await tieoutHere(['doctor', '--source', '--json'], place)
  const { checks, sources } = JSON.parse(stdout)
  expect(checks.at(-1)).toMatchObject({ name: 'source', ok: true })
  expect(sources).toMatchObject([
    { account: 'acme', singleTerminal: 200, settledFlag: { turnsWhen: 'unknown', seenTurning: 0 } },
  ])
  expect(stdout).not.toContain(String(place.env['TIEOUT_API_PASSWORD']))
})

test('doctor reads a page of each list, and says how much of it that is', async () => {
  const { code, stdout } = await tieoutHere(['doctor'], place)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^ok {4}service .*first page: terminals 2, settlements \d+( \(.*\))?, transactions 300/m,
  )
  expect(stdout).toMatch(/^ok {4}temporal .*temporal version .*; its file has the pinned hash$/m)
  const expected = `tieout 0\\.\\S+, Node ${process.versions.node}, DuckDB v\\d\\S+ with ducklake \\w+ and sqlite_scanner \\w+, Temporal SDK \\d\\S+, server \\d`
  expect(stdout).toMatch(new RegExp(`^ {6}versions +${expected}`, 'm'))
  expect(stdout).toMatch(/^ok {4}lake files .* accepts new files$/m)
  expect(readdirSync(join(place.cwd, 'out'))).toEqual([])
})

test('doctor is red for a refused list, a server that is no server, and a folder that can’t be written', async () => {
  const env = {
    ...place.env,
    TIEOUT_API_PASSWORD: 'wrong',
    TIEOUT_TEMPORAL_CLI: '/etc/hostname',
    TIEOUT_OUT: '/dev/null/out',
    TIEOUT_LAKE: '/dev/null/lake',
  }
  const { code, stdout } = await tieoutHere(['doctor', '--json'], { ...place, env })
  const {
    checks,
    versions,
  }: {
    checks: { name: string; ok: boolean; error?: { code: string; next: string } }[]
    versions: Record<string, unknown>
  } = JSON.parse(stdout)
  expect(versions).toMatchObject({ node: process.versions.node, duckdbExtensions: {} })
  expect(versions).not.toHaveProperty('temporalServer')
  const red = checks.filter(({ ok }) => !ok).map(({ name, error }) => [name, error?.code])
  expect(red).toEqual([
    ['temporal', 'temporal_unreachable'],
    ['lake', 'lake_unreachable'],
    ['lake files', 'lake_unreachable'],
    ['output', 'config_invalid'],
    ['service', 'lake_unreachable'],
  ])
  expect(stdout).not.toContain('tieout doctor')
  expect(code).toBe(6)
})

test('doctor has its own remedy for every failure whose usual remedy is doctor', () => {
  const theirs = Object.entries(FAILURES).filter(([, { remedy }]) => remedy === 'tieout doctor')
  expect(Object.keys(INSTEAD).toSorted()).toEqual(theirs.map(([code]) => code).toSorted())
})
