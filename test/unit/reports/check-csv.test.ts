import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkCsv } from '../../../reports/pack/check-csv.ts'
import {
  CELLS,
  headerOf,
  PACK_FILES,
  type ColumnKind,
  type PackFile,
} from '../../../reports/pack/pack-files.ts'
import { tempFolder } from '../../support/temp-lake.ts'

/** Cells of every sort, and some that are none of them. */
const SAMPLES = [
  ...[
    '0',
    '7',
    '-7',
    '9223372036854775807',
    '12345678901234567890',
    '007',
    '1.5',
    '-1.5',
    '1e3',
    ' 7',
    '7 ',
  ],
  ...[
    '0.00',
    '-0.00',
    '0.05',
    '-0.05',
    '12.30',
    '-12.30',
    '+12.30',
    '12.3',
    '12.345',
    '1,000.00',
    '12345678901234567.00',
  ],
  ...[
    '2026-11-21',
    '2026-11-21T07:00:00Z',
    '2026-11-21T07:00:00.25Z',
    '2026-11-21T07:00:00',
    '2026-11-21 07:00:00Z',
  ],
  ...[
    'true',
    'false',
    'TRUE',
    'CHARGE',
    'a b',
    'a;b',
    "'=1+1",
    '=1+1',
    '@x',
    '-x',
    '\tx',
    'a\tb',
    'Ärger',
    '>30',
    'a\r\nb',
  ],
  ...['a,b', 'a "b" c', '', 'INV-1/2', 'sha256:ab'],
]

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const accepts = async (packFile: PackFile, cell: string) => {
  const path = join(tempFolder(), 'rows.csv')
  writeFileSync(path, `${headerOf(packFile)}\r\n${quoted(cell)}\r\n`)
  return checkCsv(path, packFile).then(
    () => true,
    () => false,
  )
}

describe('a cell is checked by the form of its column, whichever way a row is read', () => {
  test.each(Object.keys(CELLS) as ColumnKind[])('%s', async (kind) => {
    for (const required of [true, false]) {
      const packFile: PackFile = {
        name: 'x.csv',
        table: 'x',
        columns: [{ name: 'x', kind, required }],
        adds: [],
      }
      for (const cell of SAMPLES) {
        const wanted = cell === '' ? !required : CELLS[kind].test(cell)
        expect([cell, await accepts(packFile, cell)]).toEqual([cell, wanted])
      }
    }
  })

  test('a row of attributions.csv with a cell too many, too few, or out of order is refused', async () => {
    const packFile = PACK_FILES.find(({ table }) => table === 'attributions')
    if (packFile === undefined) throw new Error('no attributions.csv')
    const row = 'acme,5,900,7,2026-11-02T10:00:00Z,CHARGE,CAPTURE,5.00,5.00,WINDOW'
    const result = async (text: string) => {
      const path = join(tempFolder(), 'rows.csv')
      writeFileSync(path, `${headerOf(packFile)}\r\n${row}\r\n${text}\r\n`)
      return checkCsv(path, packFile).then(
        ({ rows }) => rows,
        (error: Error) => error.message,
      )
    }
    expect(await result(row)).toBe(2)
    expect(await result(`${row},`)).toContain('row 2 has 11 cells instead of 10')
    expect(await result(row.replace(',WINDOW', ''))).toContain('row 2 has 9 cells instead of 10')
    expect(await result(row.replace('5,900', '900,x'))).toContain('row 2, settlementId: not a id')
    expect(await result(row.replace('CHARGE,', ','))).toContain('row 2, action: empty')
    const withoutFirst = row.replace('acme,', ',').replace('CHARGE', '"CHARGE"')
    expect(await result(withoutFirst)).toContain('row 2, account: empty')
    expect(await result(row.replace('5.00,5.00', '5.00,-0.00'))).toContain('signedAmount')
  })

  test('a row of large sums that do not add up is refused', async () => {
    const packFile = PACK_FILES.find(({ table }) => table === 'rollforward')
    if (packFile === undefined) throw new Error('no rollforward.csv')
    const path = join(tempFolder(), 'rows.csv')
    const row = 'acme,7,2026-11-02,0.00,20000000000000.00,0.00,0.00,0.00,20000000000000.01'
    writeFileSync(path, `${headerOf(packFile)}\r\n${row}\r\n`)
    await expect(checkCsv(path, packFile)).rejects.toThrow('is not the sum of its parts')
  })
})
