/**
 * Writes the accounting files: the plain-text books from the pack's own journal.csv, and the files for programs from
 * the gathered entries.
 */
import { join } from 'node:path'
import type { ManifestFile } from '../pack/manifest.ts'
import { dividedByTerminal, type Entry, type Renderer } from './entry.ts'
import { journalFacts, type JournalFacts } from './journal-facts.ts'
import { NumberedParts, type TalliedFile } from './numbered-parts.ts'
import type { AccountingOptions } from './options.ts'
import { plainAccounts } from './plain-accounts.ts'
import { beancountRenderer, hledgerRenderer, ledgerRenderer } from './plain-text-renderers.ts'
import { programFormats, type ProgramFormat } from './presets.ts'
import { programRenderer } from './program-renderer.ts'
import { writeProgramWorkbook } from './program-workbook.ts'
import { entriesFrom, type JournalRow, readEntries } from './read-entries.ts'
import { writeReadme } from './readme.ts'

interface Target {
  parts: NumberedParts
  renderer: Renderer
  /** Lines that an entry may have; a longer one is divided if it can be. */
  maxLines: number
  rows: number
}

/**
 * Writes all formats beside `accounting/journal.csv` of the pack in `folder`, in bounded memory. `gathered` gives the
 * entries for programs, in order, each time it is called. Throws invariant_broken for an invalid journal, and
 * config_invalid.
 */
export async function writeAccounting(
  folder: string,
  options: AccountingOptions,
  gathered: () => AsyncIterable<readonly JournalRow[]>,
): Promise<ManifestFile[]> {
  const inside = join(folder, 'accounting')
  const journal = join(inside, 'journal.csv')
  const formats = programFormats(options.accounting)
  const programs = formats.map((format) => programTarget(inside, format, options))
  const files = formats.length === 0 ? [] : await written(entriesFrom(gathered()), programs)
  for (const format of formats.filter(({ workbook }) => workbook !== undefined)) {
    files.push(
      ...(await writeProgramWorkbook(folder, { format, options }, entriesFrom(gathered()))),
    )
  }
  const facts = await journalFacts(journal)
  files.push(...(await written(readEntries(journal), plainTextTargets(inside, facts, options))))
  const readme = await writeReadme(folder, options, { files, journal: facts.tally })
  return [...files.map(({ file }) => file), readme]
}

async function written(
  batches: AsyncIterable<Entry[]>,
  targets: readonly Target[],
): Promise<TalliedFile[]> {
  for await (const entries of batches) {
    for (const target of targets) {
      for (const entry of entries) add(entry, target)
      await target.parts.flush()
    }
  }
  const files: TalliedFile[] = []
  for (const { parts } of targets) files.push(...(await parts.finish()))
  return files
}

function add(entry: Entry, target: Target): void {
  for (const part of dividedByTerminal(entry, target.maxLines)) {
    const rendered = target.renderer.entry(part, target.rows)
    target.rows += rendered.rows
    target.parts.add(part, rendered)
  }
}

function programTarget(
  folder: string,
  format: ProgramFormat,
  { chart }: AccountingOptions,
): Target {
  const { maxLines, maxBytes } = format
  const renderer = programRenderer(format, chart)
  const parts = new NumberedParts(folder, format.file, { ...renderer, maxLines, maxBytes })
  return { parts, renderer, maxLines: maxLines - 1, rows: 0 }
}

function plainTextTargets(
  folder: string,
  facts: JournalFacts,
  { chart, currency, accounting }: AccountingOptions,
): Target[] {
  const words: { accounts?: Record<string, string> } = accounting.plain_text ?? {}
  const accounts = plainAccounts(facts.accounts.values(), chart, words.accounts)
  const book = { facts, accounts, currency }
  const unlimited = { maxLines: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }
  const renderers: [string, Renderer][] = [
    ['tieout.hledger', hledgerRenderer(book)],
    ['tieout.beancount', beancountRenderer(book)],
    ['tieout.ledger', ledgerRenderer(book)],
  ]
  return renderers.map(([name, renderer]) => {
    const parts = new NumberedParts(folder, name, { ...renderer, ...unlimited })
    return { parts, renderer, maxLines: unlimited.maxLines, rows: 0 }
  })
}
