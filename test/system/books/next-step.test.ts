/** A person who typed a wrong word learns what to type next. */
import { expect, test, vi } from 'vitest'
import { newPlace } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { newBooksWorld } from './books-world.ts'

/** Each command is a process. */
vi.setConfig({ testTimeout: 400_000 })

test('an id of another kind, an unknown settlement and a wrong value name the next step', async () => {
  const books = newBooksWorld()
  await books.land({
    settlements: '900 | 7 | 2026-11-03 03:00 | 150.00',
    transactions: `
      1 | 7 | 2026-11-02 10:00 | 130.00 | - | 900
      4 | 7 | 2026-11-20 10:00 |   8.00 | unsettled`,
  })
  await books.shared.connected((_lake, connection) =>
    connection.run(
      `insert into lake.seen.terminal_version values
         ('acme', 7, 'Bar', 'CARD', true, 'a-1', 'Moss Ltd', '0042', false, 3.5, false, null, 1, 's', 1, '2026-11-30', 1);
       -- Another account has a settlement with the id of a transaction.
       insert into lake.seen.settlement_version
       select * replace ('other' as account, 1 as settlement_id) from lake.seen.settlement_version`,
    ),
  )
  await books.publish('first')
  await books.shared.close()
  const { lake, account } = books.settings
  const place = newPlace({ TIEOUT_LAKE: lake.folder, TIEOUT_ACCOUNT: account, TIEOUT_ACTOR: 'Ada' })
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await tieoutHere(args, place)
    return `${code} ${stdout}${stderr}`
  }
  expect(await said('exceptions', 'show', '900')).toMatch(
    /^2 .*next: it is a settlement: .*tieout exceptions list --settlement 900/,
  )
  expect(await said('exceptions', 'show', '4')).toMatch(
    /^2 .*next: it is a transaction: .*tieout exceptions show [0-9a-f]+/,
  )
  expect(await said('explain', '1')).toMatch(
    /^2 .*1 is a transaction of settlement 900; next: .*tieout explain 900/,
  )
  expect(await said('explain', '4')).toMatch(/^2 .*4 is a transaction, and no run has put it/)
  expect(await said('exceptions', 'list', '--settlement', '90')).toMatch(
    /^0 no exceptions match: account acme has no settlement 90/,
  )
  for (const [code, terminal] of [
    ['0', '77'],
    ['2 error usage:', 'Front desk'],
  ] as const) {
    expect(await said('exceptions', 'list', '--terminal', terminal)).toContain(
      `${code} no exceptions match: account acme has no terminal ${terminal}; --terminal takes the id of a terminal`,
    )
  }
  expect(await said('exceptions', 'list', '--terminal', 'Bar')).toContain(
    '2 error usage: no exceptions match: --terminal takes an id, and Bar is the name of terminal 7',
  )
  expect(await said('exceptions', 'list', '--settlement', 'abc', '--json')).toContain(
    '"no exceptions match: account acme has no settlement abc"',
  )
  expect(await said('exceptions', 'list', '--terminal', '7', '--code', 'QUARANTINED')).toMatch(
    /^0 no exceptions match\n/,
  )
  expect(await said('exceptions', 'show', '900', '--account', 'acme')).toMatch(
    /^2 .*next: it is a settlement: .*tieout --account acme exceptions list --settlement 900/,
  )
  expect(await said('--account=acme', 'explain', '1')).toMatch(
    /; next: .*tieout --account acme explain 900/,
  )
  const list = ['exceptions', 'list']
  const waive = ['exceptions', 'waive', '--terminal', '7', '--reason', 'x', '--until']
  for (const [args, next] of [
    [[...list, '--least-amount', '1,00'], 'write the amount as 100.00'],
    [[...list, '--least-age', 'old'], 'write it in digits only'],
    [[...list, '--code', 'BRAKE'], 'write one of these words'],
    [[...waive, '31.12.2099'], 'write the day as 2026-12-31'],
    [['periods', 'close', 'Nov', '--reason', 'x'], 'write the month as 2026-11'],
    [['report', '--from', '1.11.2026'], 'write the day as 20'],
    [['explain', '900', '--as-of', 'noon'], 'write the time in UTC as 2026-11-21T04:15:00Z'],
  ] as const) {
    const answer = await said(...args)
    expect(answer).toContain(`next: ${next}`)
    expect(answer).toMatch(/^2 /)
  }
})
