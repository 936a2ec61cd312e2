/** The proof, from its files alone, that a delivered pack is the published one. */
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Failure } from '../domain/failure.ts'
import { systemCode } from '../domain/reason.ts'
import { APPROVAL, readApproval, type Approval } from './pack/approval.ts'
import { checkCsv } from './pack/check-csv.ts'
import { listedFile } from './pack/listed-file.ts'
import type { ManifestFile } from './pack/manifest.ts'
import { PACK_FILES, TABLES } from './pack/pack-files.ts'
import { PackTotals, type Proved } from './pack/pack-totals.ts'
import {
  altered,
  readManifest,
  unreadable,
  type PackManifest,
  type ReadManifest,
} from './pack/read-manifest.ts'

export interface VerifiedPack extends ReadManifest {
  /** Without links. */
  folder: string
  files: number
  bytes: number
  /** Undefined before the approval. */
  approval: Approval | undefined
  /** Control totals that were recomputed from the CSVs; the others sum data outside the CSVs. */
  proved: readonly string[]
}

/**
 * Hashes every file, finds missing and added ones, and recomputes the control totals from the CSVs.
 * Throws pack_altered with the file, control_total_failed, and usage if there is no pack, or none that can be read.
 */
export async function verifyPack(path: string): Promise<VerifiedPack> {
  const folder = await realpath(path).catch(() => path)
  return verifyFolder(folder).catch((error: unknown) => {
    throw systemCode(error) === undefined ? error : unreadable(folder, error)
  })
}

async function verifyFolder(folder: string): Promise<VerifiedPack> {
  const { manifest, sha256 } = await readManifest(folder)
  await compareNames(folder, manifest)
  for (const file of manifest.files) await compareBytes(folder, file)
  const totals = await totalsOf(folder, manifest)
  return {
    ...{ folder, manifest, sha256, files: manifest.files.length },
    bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
    approval: await readApproval(folder, sha256),
    proved: proveTotals(manifest, totals),
  }
}

async function compareNames(folder: string, manifest: PackManifest): Promise<void> {
  const listed = new Set(manifest.files.map(({ name }) => name))
  for (const { name } of PACK_FILES) {
    if (!listed.has(name)) throw altered('manifest.json', `doesn't list ${name}`)
  }
  const found = new Set<string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll(sep, '/')
    if (entry.isDirectory() || name === 'manifest.json' || name === APPROVAL) continue
    if (!listed.has(name)) throw altered(name, 'was added')
    if (!(await lstat(path)).isFile()) throw altered(name, 'is not a file, perhaps a link')
    found.add(name)
  }
  const missing = [...listed].find((name) => !found.has(name))
  if (missing !== undefined) throw altered(missing, 'is missing')
}

async function compareBytes(folder: string, file: ManifestFile): Promise<void> {
  const { bytes, sha256 } = await listedFile(folder, file.name)
  if (bytes === file.bytes && sha256 === file.sha256) return
  throw altered(file.name, 'was changed after it was published')
}

async function totalsOf(folder: string, manifest: PackManifest): Promise<PackTotals> {
  const totals = new PackTotals(manifest)
  const rows = new Map(manifest.files.map((file) => [file.name, file.rows]))
  for (const packFile of PACK_FILES) {
    const checked = await checkCsv(join(folder, packFile.name), packFile, (row) =>
      totals.add(packFile.table, row),
    )
    if (checked.rows === rows.get(packFile.name)) continue
    throw altered('manifest.json', `gives a wrong number of rows for ${packFile.name}`)
  }
  return totals
}

/** Checks that every total passes, equals the manifest's, and equals the sum of the other files. */
function proveTotals(manifest: PackManifest, totals: PackTotals): string[] {
  const listed = totals.listed()
  if (JSON.stringify(listed) !== JSON.stringify(manifest.controlTotals)) {
    throw altered('control_totals.csv', 'differs from the totals in the manifest')
  }
  const proofs = totals.proofs()
  for (const row of listed) {
    const proof: Proved = proofs.get(row['check'] ?? '') ?? {}
    const { expected = row['expected'], actual = row['actual'] } = proof
    const holds = expected === actual && row['pass'] === 'true'
    if (holds && expected === row['expected'] && actual === row['actual']) continue
    throw new Failure(
      'control_total_failed',
      `${TABLES.controlTotals}.csv: ${row['check']}: listed as ${row['expected']} and ${row['actual']}, the files give ${expected} and ${actual}`,
      { remedy: 'ask the publisher of the pack; it contradicts itself' },
    )
  }
  return listed.map((row) => row['check'] ?? '').filter((check) => proofs.has(check))
}
