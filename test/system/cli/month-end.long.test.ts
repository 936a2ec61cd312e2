import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import {
  newPlace,
  newPlaceWithLake,
  simulate,
  tieout,
  type Ended,
  type Place,
} from '../../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '3', '--transactions', '1500', '--from', '2026-09-10', '--days', '55']
const RANGE = ['--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]

let place: Place
let night: RunResult

/** The service in one process and the night in another; every step of the month's end is a command of its own after it. */
beforeAll(async () => {
  const service = await simulate([...WORLD, '--now', NOW], newPlace())
  const about = { TIEOUT_ACCOUNT: 'acme', TIEOUT_TIMEZONE: 'America/New_York', TIEOUT_ACTOR: 'Ann' }
  place = newPlaceWithLake({ ...service, ...about })
  writeFileSync(join(place.cwd, 'tieout.yaml'), 'accounting: { programs: [quickbooks_online] }\n')
  night = resultOf(await ran('run', ...RANGE))
})

const resultOf = ({ stdout }: Ended): RunResult => JSON.parse(stdout)

/** A command that has to succeed, with its result as JSON. */
async function ran(...args: string[]): Promise<Ended> {
  const ended = await tieout([...args, '--json'], place)
  expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).toBe(0)
  return ended
}

/** A command that is refused: its exit code and the code of its error. */
async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await tieout(args, place)
  return `${code} ${/error (\w+):/.exec(stderr)?.[1] ?? stderr}`
}

const linesOf = (pack: string, name: string) =>
  readFileSync(join(pack, name), 'utf8').trimEnd().split('\r\n')

const journalOf = (pack: string) => linesOf(pack, 'accounting/journal.csv')

test('a month is worked off, approved by a second person, closed and proved, one command after the other', async () => {
  const list = ['exceptions', 'list', '--severity', 'error']
  const open: Record<string, string>[] = JSON.parse((await ran(...list)).stdout)
  const listed = new Set(linesOf(night.pack, 'settlements.csv').map((line) => line.split(',')[1]))
  const mismatches = open.filter(
    ({ code, subjectId }) => code === 'AMOUNT_MISMATCH' && listed.has(subjectId),
  )
  const [cleared, assigned] = mismatches.map(({ exceptionId = '' }) => exceptionId)
  const waived = open.find(({ code }) => code === 'AMOUNT_OVER_LIMIT')?.['exceptionId'] ?? ''
  const member = linesOf(night.pack, 'attributions.csv')[1]?.split(',') ?? []
  const [, transaction = '', settlement = ''] = member
  if (cleared === undefined || assigned === undefined) throw new Error('the world has mismatches')

  await ran('exceptions', 'assign', assigned, '--to', 'Cleo')
  await ran('exceptions', 'waive', waived, '--until', '2029-12-31', '--reason', 'agreed')
  const clearing = ['--clear-to', 'tips', '--reason', 'booked by hand']
  await ran('exceptions', 'resolve', cleared, ...clearing, '--date', '2026-10-29')
  await ran('attribute', transaction, '--to', settlement, '--reason', 'seen on the slip')

  const { pack, runId } = resultOf(await ran('reconcile', ...RANGE))
  const states = linesOf(pack, 'exceptions.csv').map((line) => line.split(','))
  const stateOf = (id: string) => states.find((cells) => cells[1] === id)?.slice(-4, -1)
  expect(stateOf(assigned)).toEqual(['ASSIGNED', 'Ann', 'to Cleo: to be worked on'])
  expect(stateOf(waived)).toEqual(['WAIVED', 'Ann', 'until 2029-12-31: agreed'])
  expect(stateOf(cleared)).toEqual(['RESOLVED', 'Ann', 'cleared to tips: booked by hand'])
  expect(linesOf(pack, 'attributions.csv')[1]).toBe([...member.slice(0, -1), 'MANUAL'].join(','))
  const clearings = journalOf(pack).filter((line) => line.startsWith('RES-'))
  expect(clearings.map((line) => line.split(',').slice(1, 5).join(' ')).sort()).toEqual([
    '2026-10-29 2026-10 1190 Settlement variance suspense',
    '2026-10-29 2026-10 2110 Tips payable',
  ])

  // The preparer of a pack does not approve it. A refusal is recorded, and a later approval has to be confirmed.
  expect(await refused('approve', pack)).toBe('5 approval_refused')
  const refusal = ['--by', 'Ben', '--refuse', 'the tips are missing']
  expect(JSON.parse((await ran('approve', pack, ...refusal)).stdout)).toMatchObject({
    ...{ runId, actor: 'Ben', wasSo: false },
  })
  expect(await refused('approve', pack, '--by', 'Ben')).toBe('5 approval_unconfirmed')
  const signed = JSON.parse((await ran('approve', pack, '--by', 'Ben', '--yes')).stdout)
  expect(signed).toMatchObject({ runId, preparedBy: 'Ann', actor: 'Ben', wasSo: false })
  expect(signed.entries).toBeGreaterThan(50)
  const again = JSON.parse((await ran('approve', pack, '--by', 'Ben')).stdout)
  expect(again).toMatchObject({ wasSo: true, sha256: signed.sha256 })
  expect(await refused('approve', pack, ...refusal)).toBe('5 approval_refused')

  const month = ['2026-10', '--by', 'Ben', '--reason', 'October is done']
  expect(await refused('periods', 'close', ...month)).toBe('5 close_refused')
  await ran('periods', 'close', ...month, '--accept-open', 'the breaks are being chased')
  const late = ['--clear-to', 'tips', '--reason', 'x', '--date', '2026-10-28']
  expect(await refused('exceptions', 'resolve', assigned, ...late)).toBe('5 period_closed')
  expect(JSON.parse((await ran('periods', 'list')).stdout)).toMatchObject([
    { period: '2026-10', state: 'closed', by: 'Ben', reason: 'October is done' },
  ])

  // Taken back in a closed month, the variance posts into the next one, and what was exported stays as it was.
  await ran('exceptions', 'reopen', cleared, '--reason', 'not so after all')
  const longer = RANGE.map((flag) => (flag === '2026-10-30' ? '2026-11-05' : flag))
  const after = resultOf(await ran('reconcile', ...longer)).pack
  expect(journalOf(after).filter((line) => line.includes(',2026-10,'))).toEqual(
    journalOf(pack).filter((line) => line.includes(',2026-10,')),
  )
  const fresh = linesOf(after, 'accounting/quickbooks-online.csv').slice(1)
  const dates = new Set(fresh.map((line) => /\d\d\/\d\d\/\d{4}/.exec(line)?.[0]))
  expect([...dates]).toEqual(['11/01/2026'])
  await ran('periods', 'reopen', ...month)

  // Whatever was decided since, the signed pack is what it was, and comes out the same once more.
  expect(JSON.parse((await ran('verify', pack)).stdout)).toMatchObject({ runId })
  for (const folder of [night.pack, pack, after]) {
    const proof = JSON.parse((await ran('prove', folder)).stdout)
    expect(proof.differing).toEqual([])
    expect(proof.agreeing).toContain('summary.xlsx')
  }
  const changed = JSON.parse((await ran('diff', night.pack, pack)).stdout)
  expect(JSON.stringify(changed)).toContain('RES-')
})
