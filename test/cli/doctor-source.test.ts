import { beforeAll, expect, test } from 'vitest'
import { newPlace, simulate, tieout, type Place } from '../support/built.ts'

const WORLD = ['--terminals', '2', '--transactions', '300', '--from', '2026-09-20', '--days', '45']

let place: Place
beforeAll(async () => {
  const service = await simulate([...WORLD, '--order', 'created-desc'], newPlace())
  place = newPlace({ ...service, TIEOUT_ACCOUNT: 'acme' })
})

test('doctor tells what the service turns out to be, for people and for programs', async () => {
  const text = await tieout(['doctor', '--source'], place)
  expect(text.stderr).toBe('')
  expect(text.code).toBe(0)
  expect(text.stdout).toMatch(/^ok {4}source +acme, \d+ requests$/m)
  expect(text.stdout).toMatch(
    /^ {6}transactions: .*sorted by .*created, falling.*terminalId heeded/m,
  )
  expect(text.stdout).toMatch(/^ {6}settled flag: not known yet; 0 transactions/m)

  const { stdout } = await tieout(['doctor', '--source', '--json'], place)
  const { checks, sources } = JSON.parse(stdout)
  expect(checks.at(-1)).toMatchObject({ name: 'source', ok: true })
  expect(sources).toMatchObject([
    { account: 'acme', singleTerminal: 200, settledFlag: { turnsWhen: 'unknown', seenTurning: 0 } },
  ])
  expect(stdout).not.toContain(String(place.env['TIEOUT_API_PASSWORD']))
})
