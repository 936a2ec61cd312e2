import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { alignedRows } from '../../../cli/inspect/aligned-rows.ts'
import { answerTo } from '../../../lake/query/answer.ts'
import { openedToQuery, bytesOf, queriedWorld, textOf, viewsInMemory } from './query-world.ts'

test('a run’s settlements have their terminal’s numbers, and its lines the numbers of the shop’s order', async () => {
  const world = await queriedWorld()
  await world.publish('run-2', { asOf: '2026-11-30T13:00:00Z' })
  await world.publish('earlier-range', {
    window: { from: '2026-10-01', to: '2026-11-01' },
    isBackfill: true,
  })
  const connection = await openedToQuery(world)
  const linesOf = async (sql: string) =>
    (await textOf(connection, sql, 'csv')).trimEnd().split('\r\n').slice(1)

  // The terminal as the run knew it, and as it is known now.
  expect(
    await linesOf(
      'select settlementId, merchantNumber, accountId, companyDba, difference, verdict from settlements order by 1',
    ),
  ).toEqual([
    '900,0042,a-1,Moss Ltd,0.00,TIED',
    '901,0042,a-1,Moss Ltd,20.00,BREAK',
    '902,,,,0.00,PENDING',
  ])
  expect(await linesOf('select companyDba from terminals')).toEqual(['Moss & Co'])

  // Every component, and what they leave of the total.
  expect(
    await linesOf(
      `select transactionId, settlementId, invoiceNumber, purchaseOrderNumber, signedAmount, amountTotal, amountBase,
         amountTax, amountShipping, amountTip, amountSurcharge, amountUnallocated from lines order by transactionId`,
    ),
  ).toEqual([
    '1,900,,,150.00,150.00,150.00,,,,,0.00',
    '2,900,,,-20.00,20.00,20.00,,,,,0.00',
    '3,901,INV-3,PO-3,119.00,119.00,100.00,9.00,,1.00,,9.00',
    '9007199254740993,902,,,15.05,15.05,15.05,,,,,0.00',
  ])

  // The latest run alone, unless the query reads every run.
  const counts = 'select runId, count(*) as n from'
  expect(await linesOf(`${counts} settlements group by all order by all`)).toEqual(['run-2,3'])
  expect(await linesOf(`${counts} every_run.settlements group by all order by all`)).toEqual([
    'run-1,3',
    'run-2,3',
  ])
  expect(await linesOf('select runId, isLatest from runs order by runId')).toEqual([
    'earlier-range,false',
    'run-1,false',
    'run-2,true',
  ])
  expect(
    await linesOf('select count(*) n, count(distinct transactionId) d from every_run.lines'),
  ).toEqual(['8,4'])

  // A table is aligned, numbers to the right.
  expect(
    await tableOf(
      connection,
      'select status, reportedNet, terminalName from settlements order by settlementId',
    ),
  ).toEqual([
    'status    reportedNet  terminalName',
    '--------  -----------  ---------------',
    'COMPLETE       130.00  \'=Front, "desk"',
    'COMPLETE        99.00  \'=Front, "desk"',
    'PENDING         15.05',
    '',
  ])
})

const CELLS = `select 9223372036854775807 as big, 12.30::decimal(18, 2) as money, '=1+1' as formula, '-5' as number, 'a "b", c' as quoted,
  '' as empty, null as nothing, 'two' || chr(10) || 'lines' as lines, timestamp '2026-11-21 07:00:00.25' as moment, date '2026-11-21' as day,
  true as flag, sum(x) as wide, 0.5::double as share, [1, 2] as list, interval 90 minute as span, 'ab'::blob as bytes, 1 as big
  from (values (1::bigint), (2)) as t(x)`

test('CSV follows RFC 4180 with CRLF; a formula is guarded and a number is not; empty text differs from null', async () => {
  const connection = await viewsInMemory()
  const row = `9223372036854775807,12.30,'=1+1,-5,"a ""b"", c","",,"two\nlines",2026-11-21T07:00:00.25Z,2026-11-21,true,3,0.5,"[1,2]",01:30:00,6162,1`
  const header =
    'big,money,formula,number,quoted,empty,nothing,lines,moment,day,flag,wide,share,list,span,bytes,big_2'
  expect(await textOf(connection, CELLS, 'csv')).toBe(`${header}\r\n${row}\r\n`)
  expect(await textOf(connection, 'select 1 as a where false', 'csv', 'excel')).toBe('\uFEFFa\r\n')
})

test('JSON is one object a line; counts are numbers, and money, ids and values that a reader would round are text', async () => {
  const connection = await viewsInMemory()
  const said = await textOf(connection, CELLS, 'json')
  expect(said.endsWith('}\n')).toBe(true)
  expect(JSON.parse(said)).toEqual({
    big: '9223372036854775807',
    money: '12.30',
    formula: '=1+1',
    number: '-5',
    quoted: 'a "b", c',
    empty: '',
    nothing: null,
    lines: 'two\nlines',
    moment: '2026-11-21T07:00:00.25Z',
    day: '2026-11-21',
    flag: true,
    wide: 3,
    share: 0.5,
    list: '[1,2]',
    span: '01:30:00',
    bytes: '6162',
    big_2: 1,
  })
  const odd = `select 'nan'::double as a, 'infinity'::float as b, 'x' as "na""me, two"`
  expect(JSON.parse(await textOf(connection, odd, 'json'))).toEqual({
    a: null,
    b: null,
    'na"me, two': 'x',
  })
  const counts = `select count(*) as n, 5::bigint as "terminalId", null::bigint as nothing, 7::bigint as id,
    sum(9007199254740993::hugeint) as large, -3::bigint as paid`
  expect(JSON.parse(await textOf(connection, counts, 'json'))).toEqual({
    n: 1,
    terminalId: '5',
    nothing: null,
    id: '7',
    large: '9007199254740993',
    paid: -3,
  })
  expect(await textOf(connection, 'select 1 as a where false', 'json')).toBe('')
})

test('an instant with a time zone is in UTC, and an infinite one is named in every text', async () => {
  const connection = await viewsInMemory()
  const instants = `select '2026-11-21 07:00:00+00'::timestamptz as a, 'infinity'::timestamp as b,
    '-infinity'::timestamptz as c, '-infinity'::timestamp_ns as d, null::timestamptz as e`
  const row = '2026-11-21T07:00:00Z,infinity,-infinity,-infinity'
  expect(await textOf(connection, instants, 'csv')).toBe(`a,b,c,d,e\r\n${row},\r\n`)
  expect(JSON.parse(await textOf(connection, instants, 'json'))).toEqual({
    a: '2026-11-21T07:00:00Z',
    b: 'infinity',
    c: '-infinity',
    d: '-infinity',
    e: null,
  })
  expect((await tableOf(connection, instants))[2]?.split(/ +/).join(',')).toBe(row)
})

async function tableOf(connection: DuckDBConnection, sql: string): Promise<string[]> {
  let text = ''
  for await (const piece of alignedRows(await answerTo(connection, sql))) {
    text += Buffer.from(piece).toString()
  }
  return text.split('\n')
}

test('a table shows every row, each on one line', async () => {
  const connection = await viewsInMemory()
  const many = await tableOf(
    connection,
    "select range as n, 'a' || chr(10) || 'b' as t from range(5000)",
  )
  expect(many).toHaveLength(5003)
  expect(many[5001]).toBe('4999  a b')
})

test('the requested order is the order of the answer, over many pieces', async () => {
  const connection = await viewsInMemory()
  const said = await textOf(
    connection,
    'select range as n from range(300000) order by n desc',
    'csv',
  )
  const numbers = said.trimEnd().split('\r\n').slice(1).map(Number)
  expect(numbers).toHaveLength(300_000)
  expect(numbers.every((n, at) => n === 299_999 - at)).toBe(true)
})

test('an answer that breaks off in the middle is an error in every format, and never a shorter answer', async () => {
  const connection = await viewsInMemory()
  const sql = "select case when range > 150000 then 'x' else '1' end::int as a from range(200000)"
  for (const format of ['csv', 'json', 'arrow'] as const) {
    await expect(bytesOf(connection, sql, format)).rejects.toMatchObject({
      code: 'query_refused',
      message: expect.stringMatching(/^Conversion Error: Could not convert string 'x' to INT32$/),
    })
  }
  await expect(tableOf(connection, sql)).rejects.toMatchObject({ code: 'query_refused' })
})
