import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newPlace, tieout, type Place } from '../../support/built.ts'
import { newBooksWorld } from './books-world.ts'

/** Each command is a process. */
vi.setConfig({ testTimeout: 400_000 })

const NIGHT = {
  settlements: `
    900 | 7 | 2026-11-03 03:00 | 150.00
    901 | 8 | 2026-11-04 03:00 |  99.00`,
  transactions: `
    1 | 7 | 2026-11-02 10:00 | 130.00 | - | 900
    3 | 8 | 2026-11-03 10:00 | 100.00 | - | 901
    4 | 8 | 2026-11-20 10:00 |   8.00 | unsettled`,
}

async function world(): Promise<{ place: Place; run: (...args: string[]) => Promise<string> }> {
  const books = newBooksWorld()
  await books.land(NIGHT)
  await books.publish('first')
  await books.shared.close()
  const { lake, account } = books.settings
  const place = newPlace({
    ...{ TIEOUT_LAKE: lake.folder, TIEOUT_ACCOUNT: account, TIEOUT_ACTOR: 'Ada' },
  })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await tieout(['exceptions', ...args], place)
    return code === 0 ? stdout : `${code} ${/error .*?(?=; next|$)/m.exec(stderr)?.[0] ?? stderr}`
  }
  return { place, run }
}

const HEAD = 'decision,to,until,clearTo,date,reason'

test('an exported file is filled and applied: all decisions, or none, and an error names the row', async () => {
  const { place, run } = await world()
  expect(await run('export', '--code', 'AMOUNT_MISMATCH', '--output', 'open.csv')).toBe('')
  expect(await run('export', '--output', 'open.csv')).toMatch(/^5 error would_overwrite/)
  const exported = readFileSync(join(place.cwd, 'open.csv'), 'utf8')
  const [head = '', ...rows] = exported.trimEnd().split('\r\n')
  expect(head.endsWith(`,${HEAD}`)).toBe(true)
  const of = (settlement: string) => rows.find((row) => row.includes(`,${settlement},`)) ?? ''
  expect([rows.length, of('900'), of('901')]).toEqual([
    2,
    expect.stringContaining('-20.00'),
    expect.stringContaining('1.00'),
  ])

  /** Applies a file in which both exceptions have these cells: decision, to, until, clearTo, date, reason. */
  const apply = async (first: string, second: string) => {
    const filled = [of('900').slice(0, -5) + first, of('901').slice(0, -5) + second]
    writeFileSync(join(place.cwd, 'filled.csv'), [head, ...filled, ''].join('\r\n'))
    return run('apply', 'filled.csv')
  }
  const assigned = 'assign,Cid,,,,'
  expect(await apply(assigned, 'forgive,,,,,x')).toMatch(/^2 error usage: row 3, decision: forgive/)
  expect(await apply(assigned, 'waive,,2099-12-31,,,')).toBe(
    '2 error usage: row 3: reason is empty, and waive needs it',
  )
  expect(await apply(assigned, 'waive,,soon,,,x')).toMatch(/^2 error usage: row 3: --until soon/)
  expect(await apply(',,,,,', ',,,,,')).toMatch(/^2 error usage: filled.csv has no row/)
  // The lake refuses the second decision, so that the first is undone, too.
  expect(await apply(assigned, 'resolve,,,refund,2026-11-30,x')).toMatch(/^2 error usage: .*refund/)
  expect(await run('list', '--state', 'assigned')).not.toContain('900')

  const cleared = 'resolve,,,refunds,2026-11-30,agreed'
  expect(await apply(assigned, cleared)).toMatch(/^2 decisions of filled.csv by Ada\nact 2 of/)
  expect(await run('list', '--assignee', 'Cid')).toContain('settlement 900')
  expect(await run('list', '--state', 'resolved')).toContain('settlement 901')
})

test('filters choose the exceptions that a decision is about, and go with no ids', async () => {
  const { run } = await world()
  const waive = ['waive', '--until', '2099-12-31', '--reason', 'agreed']
  expect(await run(...waive)).toMatch(/^2 error usage: name exceptions/)
  expect(await run(...waive, 'abc', '--terminal', '7')).toMatch(
    /^2 error usage: give ids or filters/,
  )
  expect(await run(...waive, '--terminal', '9')).toMatch(/^2 error usage: no exceptions match/)
  expect(await run(...waive, '--least-amount', '1.00', '--severity', 'error')).toMatch(
    /^2 exceptions: waived until 2099-12-31 by Ada\nact 2 of/,
  )
  const left = await run('list')
  expect(left).toContain('UNSETTLED_AGED')
  expect(left).not.toContain('AMOUNT_MISMATCH')
  expect(await run('list', '--state', 'waived', '--sort', 'amount')).toMatch(
    /settlement 900[^]*settlement 901[^]*2 exceptions, gross 21.00 USD/,
  )
})
