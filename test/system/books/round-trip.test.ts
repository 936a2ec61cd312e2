import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlace, type Place } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { preparedBooks } from './books-world.ts'

const NIGHT = {
  settlements: `
    900 | 7 | 2026-11-03 03:00 | 150.00
    901 | 8 | 2026-11-04 03:00 |  99.00`,
  transactions: `
    1 | 7 | 2026-11-02 10:00 | 130.00 | - | 900
    3 | 8 | 2026-11-03 10:00 | 100.00 | - | 901
    4 | 8 | 2026-11-20 10:00 |   8.00 | unsettled`,
}

const firstNight = preparedBooks(async (books) => {
  await books.land(NIGHT)
  return { first: await books.publish('first') }
})

async function world(): Promise<{ place: Place; run: (...args: string[]) => Promise<string> }> {
  const { books } = await firstNight()
  const { lake, account } = books.settings
  const place = newPlace({
    ...{ TIEOUT_LAKE: lake.folder, TIEOUT_ACCOUNT: account, TIEOUT_ACTOR: 'Ada' },
  })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await tieoutHere(['exceptions', ...args], place)
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
    '2 error usage: row 3, reason: the cell is empty, and waive needs it',
  )
  expect(await apply(assigned, 'waive,,soon,,,x')).toMatch(/^2 error usage: row 3, until: soon/)
  expect(await apply(',,,,,', ',,,,,')).toMatch(/^2 error usage: filled.csv has no row/)
  expect(await apply(assigned, 'resolve,,,refunds,30.11.2026,x')).toMatch(
    /^2 error usage: row 3, date: 30.11.2026 is not a date/,
  )
  // A cell that would have no effect is not passed over.
  expect(await apply(assigned, 'resolve,,2099-12-31,,,x')).toBe(
    '2 error usage: row 3, until: belongs to waive, not to resolve',
  )
  expect(await apply(assigned, 'waive,,2099-12-31,refunds,,x')).toBe(
    '2 error usage: row 3, clearTo: belongs to resolve, not to waive',
  )
  expect(await apply(assigned, 'resolve,,,,2026-11-30,x')).toBe(
    '2 error usage: row 3, date: is the posting date of a clearing, and clearTo is missing',
  )
  expect(await apply(assigned, ',,2099-12-31,,,x')).toBe(
    '2 error usage: row 3, decision: the cell is empty, and the column until is filled',
  )
  expect(
    await run('resolve', '--code', 'AMOUNT_MISMATCH', '--date', '2026-11-30', '--reason', 'x'),
  ).toBe('2 error usage: --date is the posting date of a clearing, and --clear-to is missing')
  // The lake refuses the second decision, so that the first is undone, too.
  expect(await apply(assigned, 'resolve,,,refund,2026-11-30,x')).toMatch(
    /^2 error usage: row 3, clearTo: .*refund/,
  )
  expect(await apply(assigned, 'reopen,,,,,x')).toMatch(
    /^2 error usage: row 3, decision: there is no decision/,
  )
  expect(await run('list', '--state', 'assigned')).not.toContain('900')

  const cleared = 'resolve,,,refunds,2026-11-30,agreed'
  expect(await apply(assigned, cleared)).toMatch(
    /^filled.csv: 2 decisions recorded, by Ada\nact 2 of/,
  )
  expect(await run('list', '--assignee', 'Cid')).toContain('settlement 900')
  expect(await run('list', '--state', 'resolved')).toContain('settlement 901')

  // A repetition records nothing. The receipt is that of the newest act that is new.
  expect(await apply(assigned, cleared)).toMatch(
    /^filled.csv: 0 decisions recorded, 2 were so already, by Ada\nact 2 of/,
  )
  expect(await apply('assign,Dora,,,,', cleared)).toMatch(
    /^filled.csv: 1 decision recorded, 1 was so already, by Ada\nact 3 of/,
  )
  const again = JSON.parse(await run('apply', 'filled.csv', '--json'))
  expect(again).toMatchObject({ decisions: 2, recorded: 0, wasSo: true })
})

test('a spreadsheet may leave rows without text, other delimiters, and ids that it changed', async () => {
  const { place, run } = await world()
  const exported = await run('export', '--code', 'AMOUNT_MISMATCH')
  const [head = '', ...rows] = exported.trimEnd().split(/\r?\n/)
  const decided = rows.map((row) => `${row.slice(0, -5)}assign,Cid,,,,`)
  const empty = ','.repeat(head.split(',').length - 1)
  const apply = async (lines: readonly string[] | Buffer) => {
    const content = Buffer.isBuffer(lines) ? lines : lines.join('\r\n')
    writeFileSync(join(place.cwd, 'filled.csv'), content)
    return run('apply', 'filled.csv')
  }
  const [first = '', second = ''] = decided
  expect(await apply([head, first, empty, '', second, empty, ''])).toMatch(/: 2 decisions recorded/)
  const semicolons = [head, empty, first, empty].map((line) => line.replaceAll(',', ';'))
  expect(await apply(semicolons)).toMatch(/: 0 decisions recorded, 1 was so already/)

  // Spreadsheets write an amount in their own way. Another amount is not the one that the person decided about.
  const withAmount = (cell: string) => [
    head.replaceAll(',', ';'),
    first.replaceAll(',', ';').replace(/;-?[0-9]+\.[0-9]{2};/, `;${cell};`),
  ]
  for (const cell of ['-20', '-20,0', '-20.000']) {
    expect(await apply(withAmount(cell))).toMatch(/: 0 decisions recorded, 1 was so already/)
  }
  const other = withAmount('-200.00').map((line) => line.replace(';Cid;', ';Dora;'))
  expect(await apply(other)).toMatch(
    /^2 error usage: row 2, amount: the file says -200.00, and the exception [0-9a-f]+ has the amount -20.00/,
  )
  const same = withAmount('-20,00').map((line) => line.replace(';Cid;', ';Dora;'))
  expect(await apply(same)).toMatch(/: 1 decision recorded/)
  expect(await apply(withAmount('-20'))).toMatch(/: 1 decision recorded/)

  // A person may have sorted one column alone. The ids then stand in rows of other exceptions.
  for (const cell of ['00900', '9.00E+02', '9E+02']) {
    const row = first.replace('assign,Cid', `assign,Eve ${cell}`).replace(',900,', `,${cell},`)
    expect(await apply([head, row])).toMatch(/: 1 decision recorded/)
  }
  expect(await apply([head, first.replace(',900,', ',901,')])).toMatch(
    /^2 error usage: row 2, subjectId: the file says 901, and the exception [0-9a-f]+ has the subject 900/,
  )
  expect(await apply([head, first.replace('AMOUNT_MISMATCH', 'UNSETTLED_AGED')])).toMatch(
    /^2 error usage: row 2, code: the file says UNSETTLED_AGED, and the exception [0-9a-f]+ has the code AMOUNT_MISMATCH/,
  )

  const number = first.replace(/^[^,]*/, '1.23E+15')
  expect(await apply([head, empty, number])).toBe(
    '2 error usage: row 3, exceptionId: no run of acme found an exception 1.23E+15',
  )
  expect(await apply([head, first, first])).toMatch(/row 3, exceptionId: row 2 decides about/)
  expect(await apply([head, `${first}agreed, see the mail`])).toMatch(/row 2 of .* more cells/)
  expect(await apply([head, `${first}"agreed`])).toMatch(/row 2 of .* a quote/)
  expect(await apply([first])).toMatch(/^2 error usage: row 1 names no column exceptionId/)

  const latin = Buffer.from([head, first.replace('Cid', 'J\u00F6rg')].join('\n'), 'latin1')
  expect(await apply(latin)).toMatch(/^2 error usage: filled.csv has bytes that are not UTF-8/)
  expect(await apply(Buffer.from('PK\u0003\u0004xl/workbook.xml'))).toMatch(/is a workbook/)
  expect(await run('apply', 'absent.csv')).toMatch(
    /absent.csv can't be read: there is no such file/,
  )
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
    /^2 exceptions: waived until 2099-12-31; 2 decisions recorded, by Ada\nact 2 of/,
  )
  const left = await run('list')
  expect(left).toContain('UNSETTLED_AGED')
  expect(left).not.toContain('AMOUNT_MISMATCH')
  expect(await run('list', '--state', 'waived', '--sort', 'amount')).toMatch(
    /settlement 900[^]*settlement 901[^]*2 exceptions as of 2026[-0-9T:]*Z, gross difference 21.00 USD/,
  )
})

test('a month is closed, and reopened', async () => {
  const { place } = await world()
  const turned = async (kind: string, ...flags: string[]) => {
    const args = ['periods', kind, '2026-11', '--reason', 'x', ...flags]
    return (await tieoutHere(args, place)).stdout
      .split('\n')
      .find((line) => line.startsWith('period '))
  }
  const close = ['close', '--accept-open', 'a test'] as const
  expect(await turned(...close)).toBe('period 2026-11 of acme: closed by Ada')
  expect(await turned(...close)).toBe('period 2026-11 of acme: closed already, by Ada')
  expect(await turned('reopen')).toBe('period 2026-11 of acme: reopened by Ada')
  expect(await turned('reopen')).toBe('period 2026-11 of acme: open already, by Ada')
})
