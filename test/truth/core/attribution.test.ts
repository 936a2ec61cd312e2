import { expect, test } from 'vitest'
import { members, reconcileWorld, verdicts } from '../../support/core-world.ts'
import { rowsOf } from '../../support/temp-lake.ts'

const DAYS = ['01', '02', '03', '04', '05', '06', '07', '08']

/** Eight days of one terminal that cuts off at 21:00 for a settlement at 00:30 of the next day. */
const history = (more: { net?: Record<string, string>; status?: Record<string, string> } = {}) => ({
  settlements: DAYS.map((_day, i) => {
    const id = `${900 + i}`
    const next = `2026-11-${String(i + 2).padStart(2, '0')} 00:30:00`
    // 30.01 + the evening of the day before, from the second day on.
    const net = more.net?.[id] ?? (i === 0 ? `${30 + i}.${i}1` : `${46 + 3 * i}.${i}4`)
    return `${id} | 7 | ${next} | ${net} | ${more.status?.[id] ?? 'COMPLETE'}`
  }).join('\n'),
  transactions: DAYS.flatMap((day, i) => [
    `${i * 10 + 1} | 7 | 2026-11-${day} 09:15:00 | ${20 + i}.${i}0`,
    `${i * 10 + 2} | 7 | 2026-11-${day} 15:40:00 | ${10 + i}.01`,
    `${i * 10 + 3} | 7 | 2026-11-${day} 22:10:00 | ${17 + i}.03`,
  ]).join('\n'),
})

test('a cut-off hours before its settlement is found, though the plain window would be wrong every day', async () => {
  const connection = await reconcileWorld(history())
  expect(await members(connection)).toEqual([
    '900: 1 2',
    '901: 3 11 12',
    '902: 13 21 22',
    '903: 23 31 32',
    '904: 33 41 42',
    '905: 43 51 52',
    '906: 53 61 62',
    '907: 63 71 72',
  ])
  expect((await verdicts(connection)).every((line) => / TIED \S+ 0 /.test(line))).toBe(true)
})

test('a wrong net is a break of exactly its amount, and its neighbours still tie', async () => {
  const connection = await reconcileWorld(history({ net: { 904: '47.44' } }))
  const lines = await verdicts(connection)
  expect(lines.filter((line) => !line.includes('TIED'))).toEqual([
    expect.stringMatching(/^904 BREAK 5844 1100 /),
  ])
})

test('no settlement ends after its creation, also if the newest net is wrong', async () => {
  const times = ['14:30', '16:30', '18:30', '20:30', '21:30']
  const centsOf = (day: number, n: number) => 1009 + 977 * n + 131 * day
  const connection = await reconcileWorld({
    settlements: DAYS.map((date, day) => {
      const cents = times.reduce((sum, _, n) => sum + centsOf(day, n), 0)
      const off = day === 7 ? 123 : day === 3 ? 5555 : 0
      return `${900 + day} | 7 | 2026-11-${date} 22:30:00 | ${((cents + off) / 100).toFixed(2)} | COMPLETE`
    }).join('\n'),
    transactions: [
      ...DAYS.flatMap((date, day) =>
        times.map(
          (time, n) =>
            `${10 * day + n + 1} | 7 | 2026-11-${date} ${time}:00 | ${(centsOf(day, n) / 100).toFixed(2)}`,
        ),
      ),
      // This void is as large as a difference, and hours too late to explain it.
      '99 | 7 | 2026-11-05 05:00:00 | 55.55 | void unsettled',
    ].join('\n'),
  })
  expect(
    await rowsOf(
      connection,
      `select settlement_id::varchar as id from boundary inner join current_settlement using (settlement_id)
       where cut_instant > created`,
    ),
  ).toEqual([])
  expect((await verdicts(connection)).filter((line) => !line.includes('TIED'))).toEqual([
    expect.stringMatching(/^903 BREAK /),
    expect.stringMatching(/^907 BREAK /),
  ])
})

test('the last evening is in no settlement yet: it is an orphan when settled', async () => {
  const connection = await reconcileWorld(history())
  expect(
    await rowsOf(
      connection,
      `select transaction_id::varchar as id, standing from transaction_standing where standing <> 'COMPLETE'`,
    ),
  ).toEqual([{ id: '73', standing: 'ORPHAN' }])
})

test('a settlement that changed after its transactions were read is not judged', async () => {
  const connection = await reconcileWorld({ ...history(), readSettlementsFirst: false })
  expect((await verdicts(connection)).every((line) => line.includes('NO_DATA - -'))).toBe(true)
})

test('a transaction that was captured late ties by its time of modification', async () => {
  const world = history()
  const late = await reconcileWorld({
    settlements: world.settlements.replace(
      /902 \|.*\|.*\|.*\|/,
      '902 | 7 | 2026-11-04 00:30:00 | 142.24 |',
    ),
    transactions: `${world.transactions}\n99 | 7 | 2026-11-01 10:00:00 | 90.00 | modified=2026-11-03T10:00:00`,
  })
  expect(await rowsOf(late, 'select clock from chosen_clock')).toEqual([{ clock: 'modified' }])
  expect((await members(late))[2]).toBe('902: 13 21 22 99')
})

test('a settlement id on the record decides, whatever the time says', async () => {
  const world = history()
  const connection = await reconcileWorld({
    settlements: world.settlements.replace(/(906 \| 7 \| \S+ \S+) \| \S+/, '$1 | 69.64'),
    transactions: `${world.transactions}\n88 | 7 | 2026-11-02 12:00:00 | 5.00 | in=906`,
  })
  expect((await members(connection))[6]).toBe('906: 53 61 62 88')
  expect((await verdicts(connection))[1]).toMatch(/^901 TIED/)
})

test('members of a PENDING settlement are found with the settled flag and without it', async () => {
  const pending = { status: { 907: 'PENDING' } }
  const flagged = await reconcileWorld(history(pending))
  expect((await members(flagged))[7]).toBe('907: 63 71 72')
  const world = history(pending)
  const unflagged = await reconcileWorld({
    ...world,
    transactions: world.transactions.replace(/^(63|71|72|73) .*$/gm, '$& | unsettled'),
  })
  expect((await members(unflagged))[7]).toBe('907: 63 71 72')
  expect((await verdicts(unflagged))[7]).toMatch(/^907 PENDING \d+ 0 /)
  expect(
    await rowsOf(
      unflagged,
      `select transaction_id::varchar as id, standing from transaction_standing where standing in ('OPEN', 'ORPHAN')`,
    ),
  ).toEqual([{ id: '73', standing: 'OPEN' }])
})

test('unsettled captures complete a PENDING settlement with settled members, or the PENDING one after it', async () => {
  const world = history({ status: { 906: 'PENDING', 907: 'PENDING' } })
  const changed = (ids: string) => ({
    ...world,
    transactions: world.transactions.replace(new RegExp(`^(${ids}) .*$`, 'gm'), '$& | unsettled'),
  })
  // Settlement 906 has 53, 61 and 62; settlement 907 has 63, 71 and 72.
  const mixed = await reconcileWorld(changed('72|73'))
  expect((await members(mixed)).slice(6)).toEqual(['906: 53 61 62', '907: 63 71 72'])
  const later = await reconcileWorld(changed('63|71|72|73'))
  expect((await members(later)).slice(6)).toEqual(['906: 53 61 62', '907: 63 71 72'])
})

test('two equal charges on both sides of a cut-off make the certificate AMBIGUOUS, and different ones do not', async () => {
  const world = history()
  const twins = await reconcileWorld({
    settlements: world.settlements
      .replace(/(903 \| 7 \| \S+ \S+) \| \S+/, '$1 | 60.34')
      .replace(/(904 \| 7 \| \S+ \S+) \| \S+/, '$1 | 63.44'),
    transactions: `${world.transactions}
      77 | 7 | 2026-11-04 20:55:00 | 5.00
      78 | 7 | 2026-11-04 21:05:00 | 5.00`,
  })
  const lines = await verdicts(twins)
  expect(lines[3]).toMatch(/^903 TIED .* AMBIGUOUS$/)
  expect(lines[4]).toMatch(/^904 TIED .* AMBIGUOUS$/)
  expect(lines[1]).toMatch(/^901 TIED .* UNIQUE$/)
})

test('a settlement created half a day late has its own members, though its cut-off lies before the reach', async () => {
  const days = Array.from({ length: 14 }, (_none, day) => day)
  const date = (day: number) => `2026-11-${String(day + 1).padStart(2, '0')}`
  // Four charges of each day are after the cut-off.
  const charges = days.flatMap((day) =>
    ['09:15', '15:40', '22:10', '22:40', '23:20', '23:50'].map((time, n) => ({
      day,
      time,
      n,
      cents: 1009 + 977 * n + 131 * day,
    })),
  )
  const net = (day: number) =>
    charges.reduce(
      (sum, { cents, ...of }) => (of.day + (of.n >= 2 ? 1 : 0) === day ? sum + cents : sum),
      0,
    )
  const connection = await reconcileWorld({
    settlements: days
      .map(
        (day) =>
          `${900 + day} | 7 | ${date(day + 1)} ${day === 6 ? '13:30' : '00:30'}:00 | ${(net(day) / 100).toFixed(2)}`,
      )
      .join('\n'),
    transactions: charges
      .map(
        ({ day, time, n, cents }) =>
          `${10 * day + n} | 7 | ${date(day)} ${time}:00 | ${(cents / 100).toFixed(2)}`,
      )
      .join('\n'),
  })
  expect((await members(connection)).slice(5, 8)).toEqual([
    '905: 42 43 44 45 50 51',
    '906: 52 53 54 55 60 61',
    '907: 62 63 64 65 70 71',
  ])
  expect((await verdicts(connection)).every((line) => / TIED .* UNIQUE$/.test(line))).toBe(true)
})

test('the last settlement ends where the one before it supports its net, not where only a cut-off that is not chosen would', async () => {
  const connection = await reconcileWorld({
    settlements: `
      900 | 7 | 2026-11-02 00:30:00 | 10.00
      901 | 7 | 2026-11-03 00:30:00 | 10.00`,
    transactions: `
      1 | 7 | 2026-11-01 23:00:00 | 10.00
      2 | 7 | 2026-11-01 23:50:00 | 5.00
      3 | 7 | 2026-11-02 21:20:00 | 5.00
      4 | 7 | 2026-11-02 23:50:00 | 5.00`,
  })
  expect(await members(connection)).toEqual(['900: 1', '901: 2 3'])
})

test('a charge at a cut-off that one of two settlements left out makes both AMBIGUOUS, and no other', async () => {
  const world = history()
  const ambiguous = async (time: string) => {
    const transactions = `${world.transactions}\n 77 | 7 | 2026-11-04 ${time}:00 | 5.00`
    const lines = await verdicts(await reconcileWorld({ ...world, transactions }))
    return lines
      .filter((line) => line.endsWith('AMBIGUOUS'))
      .map((line) => line.split(' ', 2).join(' '))
  }
  expect(await ambiguous('20:55')).toEqual(['903 TIED', '904 EXPLAINED'])
  expect(await ambiguous('17:00')).toEqual(['903 EXPLAINED', '904 TIED'])
})

test('a settled transaction on HOLD or VOID counts in the net, and a VERIFY counts nothing', async () => {
  const world = history()
  const connection = await reconcileWorld({
    ...world,
    transactions: `${world.transactions.replace(/^(11 .*)$/m, '$1 | hold').replace(/^(12 .*)$/m, '$1 | void')}
      95 | 7 | 2026-11-02 11:00:00 | 0.00 | verify`,
  })
  expect((await verdicts(connection))[1]).toMatch(/^901 TIED/)
  expect(
    await rowsOf(
      connection,
      `select transaction_count::varchar as n, charge_count::varchar as charges from tieout where settlement_id = 901`,
    ),
  ).toEqual([{ n: '4', charges: '3' }])
})

test('a right settlement between two wrong ones ties, though its cut-off differs from the usual one', async () => {
  const charges = Array.from({ length: 10 }, (_none, day) =>
    // On the sixth day what is charged just after the usual cut-off is still in.
    [
      { at: '09:15', cents: 2000 + 131 * day, late: 0 },
      { at: '18:40', cents: 1001 + 57 * day, late: 0 },
      { at: day === 5 ? '19:20' : '19:10', cents: 507 + 83 * day, late: day === 5 ? 0 : 1 },
      { at: '22:10', cents: 1703 + 29 * day, late: 1 },
    ].map((charge, n) => ({ ...charge, day, id: day * 10 + n + 1 })),
  ).flat()
  const instant = (day: number, at: string) =>
    `2026-11-${String(day + 1).padStart(2, '0')} ${at}:00`
  const decimal = (cents: number) => (cents / 100).toFixed(2)
  const wrong: Record<number, number> = { 4: 31_013, 6: 34_007 }
  const net = (day: number) =>
    charges.reduce((sum, { cents, ...at }) => (at.day + at.late === day ? sum + cents : sum), 0) +
    (wrong[day] ?? 0)
  const connection = await reconcileWorld({
    settlements: Array.from(
      { length: 10 },
      (_none, day) =>
        `${900 + day} | 7 | ${instant(day + 1, '00:30')} | ${decimal(net(day))} | COMPLETE`,
    ).join('\n'),
    transactions: charges
      .map(({ id, day, at, cents }) => `${id} | 7 | ${instant(day, at)} | ${decimal(cents)}`)
      .join('\n'),
  })
  const verdictsOf = (await verdicts(connection)).map((line) => line.split(' ').slice(0, 2))
  expect(verdictsOf.filter(([, verdict]) => verdict !== 'TIED')).toEqual([
    ['904', 'BREAK'],
    ['906', 'BREAK'],
  ])
  expect((await members(connection))[5]).toBe('905: 43 44 51 52 53')
})

test.each([111.37, 5.5, -0.01])(
  'days of one price and equal totals stay TIED beside a net that is wrong by %d',
  async (off) => {
    const sales = [2, 6, 10, 14, 18]
    const wrong = 3
    const connection = await reconcileWorld({
      settlements: DAYS.map((_day, i) => {
        const net = sales.length * 9.99 + (i === wrong ? off : 0)
        return `${900 + i} | 7 | 2026-11-${String(i + 2).padStart(2, '0')} 00:30 | ${net.toFixed(2)} | COMPLETE`
      }).join('\n'),
      transactions: DAYS.flatMap((day, i) =>
        sales.map((hour, n) => `${10 * i + n} | 7 | 2026-11-${day} ${hour}:00 | 9.99`),
      ).join('\n'),
    })
    const found = (await verdicts(connection)).map((line) => line.split(' ').slice(0, 4).join(' '))
    const cents = Math.round(-100 * off)
    expect(found).toEqual(
      DAYS.map((_day, i) => `${900 + i} ${i === wrong ? `BREAK 4995 ${cents}` : 'TIED 4995 0'}`),
    )
  },
)
