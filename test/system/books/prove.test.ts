import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainSettlement } from '../../../queries/explain-settlement.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import { manifestText } from '../../../reports/pack/manifest.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { startPipeline } from '../../support/pipeline.ts'
import { preparedBooks, type BooksWorld } from './books-world.ts'

const FIRST = {
  settlements: `
    900 | 7 | 2026-11-03 03:00 | 130.00
    901 | 7 | 2026-11-04 03:00 |  99.00`,
  transactions: `
    1 | 7 | 2026-11-02 10:00 | 150.00 | - | 900
    2 | 7 | 2026-11-02 11:00 | -20.00 | - | 900
    3 | 7 | 2026-11-03 10:00 | 119.00 | - | 901
    4 | 7 | 2026-11-20 10:00 |   8.00 | unsettled`,
}
/** The break is mended, and what was open is settled. */
const SECOND = {
  settlements: '902 | 7 | 2026-11-21 03:00 | 8.00',
  transactions: `
    5 | 7 | 2026-11-03 11:00 | -20.00 | - | 901
    4 | 7 | 2026-11-20 10:00 |   8.00 | - | 902`,
}

const prove = async ({ settings }: BooksWorld, pack: string) =>
  provePack(settings, await verifyPack(pack))

const world = preparedBooks(async (books) => {
  await books.land(FIRST)
  await books.shared.connected(async (_lake, connection) => {
    await connection.run(
      `update lake.seen.transaction_version
       set invoice_number = 'INV-' || transaction_id, tax_cents = 900, base_cents = total_cents - 1000`,
    )
    await connection.run(
      `insert into lake.seen.terminal_version values
         ('acme', 7, 'desk', 'CARD', true, 'a-1', 'Moss Ltd', '0042', false, 3.5, false, null, 1, 's', 1, '2026-11-30', 1)`,
    )
  })
  return { pack: await books.publish('first') }
})

/** The text cells and the numbers of a sheet's row. */
const cellsOf = (pack: string, sheet: number, row: number): string[] => {
  const xml = execFileSync(
    'unzip',
    ['-p', join(pack, 'summary.xlsx'), `xl/worksheets/sheet${sheet}.xml`],
    { encoding: 'utf8' },
  )
  const found = new RegExp(`<row r="${row}".*?</row>`, 's').exec(xml)?.[0] ?? ''
  return [...found.matchAll(/<(?:t xml:space="preserve"|v)>([^<]*)</g)].map(([, cell = '']) => cell)
}

test('a pack is proved only if it was made from the knowledge of --known-at', async () => {
  const { books, pack } = await world()
  const verified = await verifyPack(pack)
  await books.land(SECOND)
  const made = verified.manifest.knownAt
  expect((await provePack(books.settings, { ...verified, knownAt: made })).differing).toEqual([])
  await expect(
    provePack(books.settings, { ...verified, knownAt: '2100-01-01T00:00:00Z' }),
  ).rejects.toMatchObject({ code: 'usage' })
})

test('a pack comes out byte for byte the same after later records, and after a change of the configuration', async () => {
  const { books, pack } = await world()
  await books.land(SECOND)
  const later = await books.publish('later', { preparedBy: 'ann' })
  // Made afterwards, it is what `later` would be compared with if it were made now.
  const wider = { from: '2026-11-01', to: '2027-01-01' }
  await books.publish('between', { knownAt: '1', window: wider })
  for (const folder of [pack, later]) {
    const { agreeing, differing } = await prove(books, folder)
    expect(differing).toEqual([])
    expect(agreeing).toContain('settlements.csv')
    expect(agreeing).toContain('accounting/tieout.beancount')
    expect(agreeing).toContain('summary.html')
    expect(agreeing).toContain('summary.xlsx')
  }
  const settings = {
    ...books.settings,
    currency: 'EUR',
    thresholds: { ...books.settings.thresholds, unsettled_days: 1 },
  }
  expect((await provePack(settings, await verifyPack(pack))).differing).toEqual([])
  // The workbook's lines lead back to the shop's order, its settlements to whose terminal it is.
  expect(cellsOf(pack, 3, 2)).toEqual(expect.arrayContaining(['900', '0042', 'a-1', 'Moss Ltd']))
  const line = cellsOf(pack, 9, 2)
  expect(line.slice(-4)).toEqual(['INV-1', '140.00', '9.00', '1.00'])
  expect(cellsOf(later, 9, 2)).toEqual(line)
  expect(readFileSync(join(pack, 'summary.html'), 'utf8')).toContain(
    'no pack from before the newest landing',
  )
  expect(readFileSync(join(later, 'summary.html'), 'utf8')).toContain('Compared with run first')
  expect(readFileSync(join(pack, 'settlements.csv'), 'utf8')).toContain(',BREAK,')
  expect(readFileSync(join(later, 'settlements.csv'), 'utf8')).not.toContain(',BREAK,')
})

test('a lake whose past was changed does not prove the pack, and the file is named', async () => {
  const { books, pack } = await world()
  await books.shared.connected((_lake, connection) =>
    connection.run(
      'update lake.seen.transaction_version set base_cents = 14999 where transaction_id = 1',
    ),
  )
  await expect(prove(books, pack)).rejects.toMatchObject({
    code: 'pack_unproved',
    message: expect.stringMatching(/^exceptions\.csv comes out otherwise .*, and \d+ more files$/),
  })
})

test('a changed byte is damage for a proof and for an explanation that is computed anew', async () => {
  const { books, pack } = await world()
  const { settings } = books
  const [file = ''] = readdirSync(settings.lake.data, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('settlement_version') && name.endsWith('.parquet'))
    .map((name) => join(settings.lake.data, name))
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
  writeFileSync(file, bytes)
  const damaged = { code: 'lake_damaged', message: expect.stringContaining('was changed') }
  await expect(prove(books, pack)).rejects.toMatchObject(damaged)
  const question = { settings, settlementId: '900', asOf: '2026-12-24T12:00:00Z' }
  await expect(explainSettlement(question)).rejects.toMatchObject(damaged)
})

test('a proof by another version of the code names the files that differ, and does not fail', async () => {
  const { books, pack } = await world()
  const file = join(pack, 'manifest.json')
  const { manifestSha256: _seal, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, manifestText({ ...manifest, codeVersion: '0.0.1+old' }))
  await books.shared.connected((_lake, connection) =>
    connection.run("update lake.seen.settlement_version set status = 'PENDING'"),
  )
  const proof = await prove(books, pack)
  expect(proof.madeBy).toBe('0.0.1+old')
  expect(proof.provedBy).not.toBe(proof.madeBy)
  expect(proof.differing).toContain('settlements.csv')
  expect(proof.agreeing).toContain('attributions.csv')
})

test('a lake without the knowledge of the pack is the wrong lake', async () => {
  const { books, pack } = await world()
  const { shared } = books
  await shared.connected((_lake, connection) => connection.run('delete from lake.ops.landing'))
  await expect(prove(books, pack)).rejects.toMatchObject({
    code: 'usage',
    message: 'the pack was made from knowledge 1, and this lake holds 0',
  })
})

test('a generated world is verified and proved, and most of its control totals are computed again from the files', async () => {
  const size = { seed: 5, terminals: 4, transactions: 1200, days: 40 }
  const { night, settings } = await startPipeline(size, '2025-10-30T04:15:00Z')
  const { pack } = await night('n1')
  const verified = await verifyPack(pack)
  expect(verified.proved).toHaveLength(14)
  const { differing, agreeing } = await provePack(settings, verified)
  expect([differing, agreeing.length]).toEqual([[], verified.files])
})
