import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PackRows } from '../../../lake/results/pack-rows.ts'
import { tempFolder, tempLake } from '../../support/temp-lake.ts'

const HEADER =
  'account,transactionId,settlementId,terminalId,created,action,status,amountTotal,signedAmount,method'

test('a CSV of the pack follows RFC 4180: CRLF, doubled quotes, exact ids and amounts, and empty cells for absent values', async () => {
  const { connection } = await tempLake()
  await connection.run(
    `insert into lake.result.attributions values
       ('run-1', 'acme', 9223372036854775807, 900, 7, '2026-11-02 10:00:00.25', 'REFUND', 'CAPTURE', '9999999999999.99', '-9999999999999.99', 'WINDOW'),
       ('run-1', 'acme', 1, 900, 7, '2026-11-02 10:00:00', 'a "b", c' || chr(13) || chr(10) || 'd', ' e ', '0.05', '-0.05', null),
       ('run-1', 'acme', 70, 901, 7, '2026-11-02 10:00:00', '''=1+1', '', '1.10', '1.10', 'Ärger 決済'),
       ('run-2', 'acme', 8, 900, 7, null, '', '', null, null, '')`,
  )
  await connection.run(
    `insert into lake.result.attribution_source values ('run-1', 900, 'run-1', 0), ('run-1', 901, 'run-1', 0), ('run-2', 900, 'run-2', 0)`,
  )
  const file = join(tempFolder(), "it's.csv")
  const stored = new PackRows(connection, { runId: 'run-1' })
  expect(await stored.writeCsv('attributions', file)).toEqual({ rows: 3 })
  const bytes = [
    HEADER,
    'acme,1,900,7,2026-11-02T10:00:00Z,"a ""b"", c\r\nd", e ,0.05,-0.05,',
    'acme,9223372036854775807,900,7,2026-11-02T10:00:00.25Z,REFUND,CAPTURE,9999999999999.99,-9999999999999.99,WINDOW',
    'acme,70,901,7,2026-11-02T10:00:00Z,\'=1+1,"",1.10,1.10,Ärger 決済',
    '',
  ].join('\r\n')
  expect(readFileSync(file, 'utf8')).toBe(bytes)

  // The bytes that `prove` writes from the models must be equal.
  await connection.run(
    `create temp table pack_attributions as
     select * exclude (run_id) from lake.result.attributions where run_id = 'run-1' order by "settlementId", created, "transactionId"`,
  )
  await new PackRows(connection).writeCsv('attributions', file)
  expect(readFileSync(file, 'utf8')).toBe(bytes)

  expect(
    (await stored.rows('attributions')).map((row) => [
      row['transactionId'],
      row['settlementId'],
      row['status'],
    ]),
  ).toEqual([
    ['1', '900', ' e '],
    ['9223372036854775807', '900', 'CAPTURE'],
    ['70', '901', ''],
  ])
})

test('a table without rows is a header line', async () => {
  const { connection } = await tempLake()
  const file = join(tempFolder(), 'none.csv')
  await new PackRows(connection, { runId: 'run-1' }).writeCsv('attributions', file)
  expect(readFileSync(file, 'utf8')).toBe(`${HEADER}\r\n`)
})
