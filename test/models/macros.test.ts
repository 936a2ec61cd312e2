import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { prepareModels } from '../../lake/run/models.ts'
import { runVariables } from '../support/run-variables.ts'

/** The value of one expression, as text. */
async function value(expression: string, timezone = 'UTC'): Promise<string | null> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await prepareModels(connection, runVariables({ timezone: timezone }))
  const reader = await connection.runAndReadAll(`select (${expression})::varchar`)
  connection.closeSync()
  return reader.getRowsJson()[0]?.[0] as string | null
}

test('money has two decimals and a leading minus, from a cent to the largest amount', async () => {
  expect(await value('money(0::bigint)')).toBe('0.00')
  expect(await value('money(-5::bigint)')).toBe('-0.05')
  expect(await value('money(-100::bigint)')).toBe('-1.00')
  expect(await value('money(123456789012345678::bigint)')).toBe('1234567890123456.78')
  expect(await value('money(null::bigint)')).toBeNull()
})

test('an instant ends with Z, and has a fraction only if there is one', async () => {
  expect(await value(`instant(timestamp '2026-11-21 07:00:00')`)).toBe('2026-11-21T07:00:00Z')
  expect(await value(`instant(timestamp '2026-11-21 07:00:00.5')`)).toBe('2026-11-21T07:00:00.5Z')
  expect(await value(`instant(timestamp '2026-11-21 07:00:00.000001')`)).toBe(
    '2026-11-21T07:00:00.000001Z',
  )
  expect(await value('instant(null::timestamp)')).toBeNull()
})

test('a duration is shown in the largest unit of which it has at least two', async () => {
  const told = await Promise.all(
    [0, 119, 120, 7199, 7200, 172_799, 172_800, 3_676_161].map((seconds) =>
      value(`elapsed(${seconds})`),
    ),
  )
  expect(told).toEqual(['0 s', '119 s', '2 min', '119 min', '2 h', '47 h', '2 d', '42 d'])
})

test('a business date is a date in the account’s zone, in summer and in winter', async () => {
  const date = (at: string) => value(`business_date(timestamp '${at}')`, 'America/New_York')
  expect(await date('2026-03-02 04:59:59')).toBe('2026-03-01')
  expect(await date('2026-03-02 05:00:00')).toBe('2026-03-02')
  expect(await date('2026-07-02 03:59:59')).toBe('2026-07-01')
  expect(await date('2026-07-02 04:00:00')).toBe('2026-07-02')
})

test('text that a spreadsheet would run gets a quote before it: a sign, a tab, a carriage return', async () => {
  for (const first of ['=', '+', '-', '@']) {
    expect(await value(`guard('${first}1')`)).toBe(`'${first}1`)
  }
  expect(await value(`guard(chr(9) || 'x')`)).toBe("'\tx")
  expect(await value(`guard(chr(13) || 'x')`)).toBe("'\rx")
  expect(await value(`guard('a=b')`)).toBe('a=b')
  // A spreadsheet skips blanks, and takes the full-width signs.
  expect(await value(`guard(' =b')`)).toBe("' =b")
  expect(await value(`guard('\u00a0\u3000＠b')`)).toBe("'\u00a0\u3000＠b")
  expect(await value(`guard('＝b')`)).toBe("'＝b")
  for (const first of ['\u2003', '\u2007', '\u200b', '\ufeff', '\u000b']) {
    expect(await value(`guard('${first}=b')`)).toBe(`'${first}=b`)
  }
  expect(await value(`guard(' b=')`)).toBe(' b=')
  expect(await value(`guard('')`)).toBe('')
  expect(await value('guard(null::varchar)')).toBeNull()
})

test('a net may match by chance if there is one possible net in a hundred cents and at least fifty transactions', async () => {
  expect(await value('may_tie_by_chance(100, 1000000)')).toBe('true')
  expect(await value('may_tie_by_chance(100, 1000001)')).toBe('false')
  expect(await value('may_tie_by_chance(49, 500)')).toBe('false')
  expect(await value('may_tie_by_chance(50, 500)')).toBe('true')
})

test('the count of possible sets does not overflow, however many transactions there are', async () => {
  expect(await value('[set_count(5, 2), set_count(5, 3), set_count(5, 4)]')).toBe(
    '[10.0, 10.0, 5.0]',
  )
  expect(await value('set_count(55110, 4) > 3.8e17 and set_count(10000000, 4) > 4e26')).toBe('true')
})

test('the number of sets of one or two transactions is the same, counted by amount or listed one by one', async () => {
  const changes = [300, 300, -300, 0, 0, 0, -500]
  const list = `(select unnest([${changes.join(', ')}]) as cents, generate_subscripts([${changes.join(', ')}], 1) as n)`
  const listed = `(select count(*) from ${list} as one where is_swap(cents, 0))
    + (select count(*) from ${list} as one inner join ${list} as other on is_swap(one.cents, other.cents) and other.n > one.n)`
  expect(await value(listed)).toBe('8')
  expect(await value('swap_count(2, 1, 0) + swap_count(0, 0, 3) + swap_count(0, 1, 0)')).toBe('8')
  expect(await value('crossing_cents(true, 300)')).toBe('-300')
  expect(await value('crossing_cents(false, 300)')).toBe('300')
})

test('two cut-offs give the same net if their offsets differ by the amount that a shift moved', async () => {
  expect(await value('gives_same_net(150, 150, 0)')).toBe('true')
  expect(await value('gives_same_net(150, 450, 300)')).toBe('true')
  expect(await value('gives_same_net(150, 450, 0)')).toBe('false')
})

test('a lag is shown as hours and minutes, also below zero', async () => {
  expect(await value('hours_and_minutes(3660)')).toBe('1:01')
  expect(await value('hours_and_minutes(-300)')).toBe('-0:05')
})
