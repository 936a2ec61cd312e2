/** Writes the accounting files from the pack's own journal.csv. */
import { join } from 'node:path'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import type { ManifestFile } from '../pack/manifest.ts'
import type { Chart, Entry, Renderer } from './entry.ts'
import { journalFacts } from './journal-facts.ts'
import { NumberedParts } from './numbered-parts.ts'
import { plainAccounts } from './plain-accounts.ts'
import { beancountRenderer, hledgerRenderer, ledgerRenderer } from './plain-text-renderers.ts'
import { type FormatOverride, programFormats } from './presets.ts'
import { programRenderer } from './program-renderer.ts'
import { readEntries } from './read-entries.ts'

/** The configuration of the accounting files: one key per program, and `plain_text`. */
export type AccountingOverrides = Readonly<
  Record<string, FormatOverride | undefined> & {
    plain_text?: { accounts?: Record<string, string> | undefined } | undefined
  }
>

export interface AccountingOptions {
  chart: Chart
  currency: string
  overrides: AccountingOverrides
  /** Returns true for an entry of an approved pack. The program files leave it out. */
  isExported: (entryId: string) => boolean
}

interface Target {
  parts: NumberedParts
  renderer: Renderer
  /** False: the file has only entries that were not exported. */
  holdsAll: boolean
  rows: number
}

/** Returns the options from a run's parameters. Absent ones get their defaults. */
export function accountingOptions(
  parameters: Readonly<Record<string, unknown>>,
  isExported: AccountingOptions['isExported'] = () => false,
): AccountingOptions {
  const { chartOfAccounts, accounting, currency } = parameters
  return {
    chart: (chartOfAccounts ?? DEFAULT_CHART) as Chart,
    currency: String(currency),
    // Both were validated with the configuration; `programFormats` checks headings and fields.
    overrides: (accounting ?? {}) as AccountingOverrides,
    isExported,
  }
}

/**
 * Writes all formats beside `journal.csv` in `folder`, in two passes and bounded memory. Throws
 * invariant_broken for an invalid journal, and config_invalid.
 */
export async function writeAccounting(
  folder: string,
  options: AccountingOptions,
): Promise<ManifestFile[]> {
  const journal = join(folder, 'journal.csv')
  const targets = [
    ...programTargets(folder, options),
    ...(await plainTextTargets(folder, journal, options)),
  ]
  for await (const entries of readEntries(journal)) {
    for (const target of targets) {
      for (const entry of entries) render(entry, target, options)
      await target.parts.flush()
    }
  }
  const files: ManifestFile[] = []
  for (const { parts } of targets) files.push(...(await parts.finish()))
  return files
}

function render(entry: Entry, target: Target, { isExported }: AccountingOptions): void {
  if (!target.holdsAll && isExported(entry.id)) return
  const { text, rows } = target.renderer.entry(entry, target.rows)
  target.rows += rows
  target.parts.add(text, rows)
}

function programTargets(folder: string, { chart, overrides }: AccountingOptions): Target[] {
  return programFormats(overrides).map((format) => {
    const { maxLines, maxBytes } = format
    const renderer = programRenderer(format, chart)
    const parts = new NumberedParts(folder, format.file, { ...renderer, maxLines, maxBytes })
    return { parts, renderer, holdsAll: false, rows: 0 }
  })
}

async function plainTextTargets(
  folder: string,
  journal: string,
  { chart, currency, overrides }: AccountingOptions,
): Promise<Target[]> {
  const facts = await journalFacts(journal)
  const accounts = plainAccounts(facts.accounts.values(), chart, overrides.plain_text?.accounts)
  const book = { facts, accounts, currency }
  const unlimited = { maxLines: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }
  const renderers: [string, Renderer][] = [
    ['tieout.hledger', hledgerRenderer(book)],
    ['tieout.beancount', beancountRenderer(book)],
    ['tieout.ledger', ledgerRenderer(book)],
  ]
  return renderers.map(([name, renderer]) => {
    const parts = new NumberedParts(folder, name, { ...renderer, ...unlimited })
    return { parts, renderer, holdsAll: true, rows: 0 }
  })
}
