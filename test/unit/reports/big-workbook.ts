/**
 * Writes a workbook with many lines: `big-workbook.ts FILE LINES`. The tests run it as another process, so that its memory can be
 * limited and measured.
 */
import type { PackSource, Row } from '../../../reports/pack/pack-source.ts'
import { readSummary } from '../../../reports/pack/summary.ts'
import { writeXlsx } from '../../../reports/workbook/summary-xlsx.ts'
import { aboutOf, attribution, countedIn, sourceOf, worldOf } from './fake-source.ts'

const BATCH = 2000

const line = (n: number): Row => ({
  ...attribution({ transactionId: String(n) }),
  invoiceNumber: `INV-${n}`,
  purchaseOrderNumber: `PO-${n}`,
  ...{ amountBase: '120.00', amountTax: '12.00', amountShipping: '8.00', amountTip: '5.00' },
  ...{ amountSurcharge: '5.00', amountUnallocated: '0.00' },
})

export async function main(): Promise<number> {
  const [file = '', lines = '0'] = process.argv.slice(-2)
  const small = sourceOf(worldOf())
  const source: PackSource = {
    ...small,
    async *batches(table) {
      if (table !== 'sheet_lines') return yield* small.batches(table)
      for (let from = 0; from < Number(lines); from += BATCH) {
        yield Array.from({ length: BATCH }, (_, n) => line(from + n))
      }
    },
  }
  const files = [
    ...countedIn(worldOf()).filter(({ name }) => name !== 'attributions.csv'),
    { name: 'attributions.csv', rows: Number(lines) },
  ]
  await writeXlsx(file, {
    source,
    summary: await readSummary(source),
    about: aboutOf('out'),
    files,
  })
  console.log(`${lines} lines, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`)
  return 0
}
