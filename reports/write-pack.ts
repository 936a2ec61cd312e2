/**
 * The writer of the report pack: all files of the contract, checked, and published completely or
 * not at all.
 */
import { hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, assert } from '../domain/failure.ts'
import { checkCsv } from './pack/check-csv.ts'
import { manifestOf, type ManifestFile, sameRun, manifestText } from './pack/manifest.ts'
import { listedFile } from './pack/listed-file.ts'
import { PACK_FILES, TABLES, type PackFile } from './pack/pack-files.ts'
import { makeFolder, packFolder } from './pack/pack-folder.ts'
import { targetOf } from './target-of.ts'
import { readSummary } from './pack/summary.ts'
import { writeXlsx } from './workbook/summary-xlsx.ts'
import { type Row, type PackSource, type PackAbout } from './pack/pack-source.ts'
import { accountingOptions } from './accounting/options.ts'
import { writeAccounting } from './accounting/write-accounting.ts'

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

export interface WrittenPack {
  folder: string
  manifestSha256: string
}

/**
 * Publishes the pack of a run and returns its folder. A second attempt at a published run returns
 * the same folder and changes nothing. `latest` does not move yet. Once `signal` is set, nothing is
 * published any more. Throws control_total_failed and invariant_broken (nothing stays in OUT),
 * would_overwrite, config_invalid, and the signal's reason.
 */
export async function writePack(
  source: PackSource,
  about: PackAbout,
  signal?: AbortSignal,
): Promise<WrittenPack> {
  const folder = packFolder(about)
  let published = await publishedManifest(folder, about)
  if (published === undefined) {
    const controlTotals = await source.rows(TABLES.controlTotals)
    refuseFailed(controlTotals)
    const target = targetOf(about)
    await target.refuseForeignLatest(folder)
    const partial = await target.begin(folder)
    try {
      const files = await writeFiles(source, about, partial)
      const manifest = manifestText(manifestOf({ about, controlTotals, files }))
      await writeOwn(join(partial, 'manifest.json'), manifest)
      await target.publish(folder, { made: partial, files }, signal)
      published = manifest
    } catch (error) {
      if (signal?.aborted === true) throw error
      // Another attempt may have published this run, or a store may have written it although its answer was lost.
      published = await publishedManifest(folder, about).catch(() => undefined)
      if (published === undefined) throw error
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  }
  return { folder, manifestSha256: hash('sha256', published) }
}

/**
 * Returns the manifest that an earlier attempt at this very run published, if there was one. Throws would_overwrite for
 * any other pack.
 */
async function publishedManifest(folder: string, about: PackAbout): Promise<string | undefined> {
  const manifest = await targetOf(about).manifestAt(folder)
  if (manifest === undefined || sameRun(manifest, about)) return manifest
  throw new Failure('would_overwrite', `the pack ${folder} exists already`)
}

/** A total counts as passed only if it says so and its difference is zero. */
function refuseFailed(controlTotals: readonly Row[]): void {
  assert(controlTotals.length > 0, 'control totals were taken')
  const failed = controlTotals.filter(
    (row) => row['pass'] !== 'true' || !/^0(\.0+)?$/.test(row['difference'] ?? ''),
  )
  const first = failed[0]
  if (first === undefined) return
  const others = failed.length > 1 ? `, and ${failed.length - 1} more` : ''
  throw new Failure(
    'control_total_failed',
    `control total ${first['check'] ?? ''}: expected ${first['expected'] ?? ''}, actual ${first['actual'] ?? ''}${others}; the pack is withheld`,
  )
}

/**
 * Writes all files except the manifest into a folder. The run's knowledge and parameters decide
 * every byte.
 */
export async function writeFiles(
  source: PackSource,
  about: PackAbout,
  folder: string,
): Promise<ManifestFile[]> {
  const csvs = await writeCsvs(source, about, folder)
  const gathered = () => source.batches(TABLES.gathered)
  const accounting = await writeAccounting(folder, accountingOptions(about), gathered)
  return [...csvs, ...accounting, ...(await writeSummaries({ source, about, folder, files: csvs }))]
}

async function writeCsvs(
  source: Pick<PackSource, 'writeCsv'>,
  about: PackAbout,
  partial: string,
): Promise<ManifestFile[]> {
  await makeFolder(join(partial, 'accounting'))
  const files: ManifestFile[] = []
  for (const packFile of PACK_FILES)
    files.push(await writeCsv({ source, about, partial }, packFile))
  return files
}

async function writeCsv(
  {
    source,
    about,
    partial,
  }: { source: Pick<PackSource, 'writeCsv'>; about: PackAbout; partial: string },
  packFile: PackFile,
): Promise<ManifestFile> {
  const path = join(partial, packFile.name)
  const { rows } = await source.writeCsv(packFile.table, path)
  if (about.csvProfile === 'excel') await prependMark(path)
  await chmod(path, 0o600)
  const checked = await checkCsv(path, packFile)
  if (checked.rows !== rows) {
    throw new Failure(
      'invariant_broken',
      `${packFile.name} holds ${checked.rows} rows instead of ${rows}; the pack is withheld`,
    )
  }
  return { name: packFile.name, ...checked }
}

async function prependMark(path: string): Promise<void> {
  const marked = `${path}.marked`
  await writeFile(marked, withMark(path), { mode: 0o600, flag: 'wx' })
  await rename(marked, path)
}

async function* withMark(path: string): AsyncGenerator<Buffer> {
  yield BYTE_ORDER_MARK
  yield* createReadStream(path)
}

async function writeSummaries({
  source,
  about,
  folder,
  files,
}: {
  source: PackSource
  about: PackAbout
  folder: string
  files: readonly ManifestFile[]
}): Promise<ManifestFile[]> {
  // Loads the chart library only for drawing, not for reading a pack.
  // A summary repeats rows of the CSVs and has none of its own.
  const { renderHtml } = await import('./page/summary-html.ts')
  const summary = await readSummary(source)
  await writeOwn(join(folder, 'summary.html'), renderHtml(summary, about))
  await writeXlsx(join(folder, 'summary.xlsx'), { source, summary, about, files })
  return [await listedFile(folder, 'summary.html'), await listedFile(folder, 'summary.xlsx')]
}

async function writeOwn(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx' })
  await chmod(path, 0o600)
}
