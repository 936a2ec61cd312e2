/** Writes a workbook with many lines: `big-workbook.ts FILE LINES`. Run apart, so that its memory can be limited and seen. */
import type { PackSource } from '../../reports/pack.ts'
import { readSummary } from '../../reports/summary.ts'
import { writeXlsx } from '../../reports/summary-xlsx.ts'
import { aboutOf, attribution, sourceOf, worldOf } from './fake-source.ts'

const BATCH = 2000

export async function main(): Promise<number> {
  const [file = '', lines = '0'] = process.argv.slice(-2)
  const small = sourceOf(worldOf())
  const source: PackSource = {
    ...small,
    async *batches(table) {
      if (table !== 'attributions') return yield* small.batches(table)
      for (let from = 0; from < Number(lines); from += BATCH) {
        yield Array.from({ length: BATCH }, (_, n) => attribution({ transactionId: `${from + n}` }))
      }
    },
  }
  await writeXlsx(file, { source, summary: await readSummary(source), about: aboutOf('out') })
  console.log(`${lines} lines, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB at most`)
  return 0
}
