/** The reader of a delivered pack's manifest, which holds its own hash and those of the files. */
import { hash } from 'node:crypto'
import { readFile, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Failure } from '../../domain/failure.ts'
import { reasonOf, systemCode } from '../../domain/reason.ts'
import { CERTIFICATES } from '../../domain/run.ts'
import { manifestText } from './manifest.ts'
import { PACK_FILES } from './pack-files.ts'

const FILE = z.object({
  name: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
})

const MANIFEST = z.object({
  runId: z.string(),
  account: z.string(),
  from: z.string(),
  to: z.string(),
  asOf: z.string(),
  knownAt: z.string(),
  codeVersion: z.string(),
  configHash: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  certificate: z.enum(CERTIFICATES),
  csvProfile: z.enum(['machine', 'excel']),
  preparedBy: z.string().exactOptional(),
  controlTotals: z.array(z.record(z.string(), z.string().nullable())),
  files: z.array(FILE),
})

export type PackManifest = z.infer<typeof MANIFEST>

export interface ReadManifest {
  manifest: PackManifest
  /** Hash of the file's bytes, which an approval names. */
  sha256: string
}

/** Throws usage for what is not a pack, and pack_altered for a manifest that was changed or taken away. */
export async function readManifest(folder: string): Promise<ReadManifest> {
  const found = await stat(folder).catch((cause: unknown) => {
    throw isAbsent(cause) ? noPack(folder, 'there is no such folder') : unreadable(folder, cause)
  })
  if (!found.isDirectory()) {
    throw noPack(folder, 'it is a file', `name its folder: ${dirname(folder)}`)
  }
  const bytes = await readFile(join(folder, 'manifest.json')).catch(async (cause: unknown) => {
    if (!isAbsent(cause)) throw unreadable(join(folder, 'manifest.json'), cause)
    if (!(await isAbovePacks(folder))) throw altered('manifest.json', 'is missing', cause)
    throw noPack(folder, 'it holds no manifest.json', await remedyAbove(folder))
  })
  return {
    manifest: parseManifest(bytes),
    sha256: hash('sha256', bytes),
  }
}

const noPack = (
  path: string,
  what: string,
  remedy = 'name the folder of a pack, such as out/default/latest',
) => new Failure('usage', `${path} is not a pack: ${what}`, { remedy })

const isAbsent = (error: unknown) => systemCode(error) === 'ENOENT'

/** Reports a file or folder that the system does not let this user read. */
export const unreadable = (path: string, cause: unknown): Failure =>
  new Failure('usage', `${path} can't be read: ${reasonOf(cause)}`, {
    cause,
    remedy: 'name the folder of a pack that you may read',
  })

/** Returns true for a folder without the files of a pack. A pack without its manifest was changed. */
async function isAbovePacks(folder: string): Promise<boolean> {
  const names = new Set(await readdir(folder))
  return !PACK_FILES.some(({ name }) => names.has(name))
}

/** Packs lie at most three folders below the place of all packs: account, range, run. */
const DEEPEST = 3
const MOST_NAMED = 3

async function remedyAbove(folder: string): Promise<string | undefined> {
  const packs = (await packsBelow(folder, DEEPEST)).toSorted()
  if (packs.length === 0) return undefined
  const more = packs.length > MOST_NAMED ? `, or another of its ${packs.length} packs` : ''
  return `name a pack in it, such as ${packs.slice(-MOST_NAMED).join(' or ')}${more}`
}

async function packsBelow(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  if (entries.some(({ name }) => name === 'manifest.json')) return [folder]
  if (depth === 0) return []
  const below = entries.filter((entry) => entry.isDirectory())
  const found = below.map(({ name }) => packsBelow(join(folder, name), depth - 1))
  return (await Promise.all(found)).flat()
}

const AUDIT = z.object({ audit: z.object({ seq: z.string(), sha256: z.string() }) })

/** The newest act of the audit trail at the time of the pack. */
export function auditOf(parameters: PackManifest['parameters']): { seq: bigint; sha256: string } {
  const { success, data } = AUDIT.safeParse(parameters)
  return success
    ? { seq: BigInt(data.audit.seq), sha256: data.audit.sha256 }
    : { seq: 0n, sha256: '' }
}

const SCAN = z.object({ exceptionScan: z.string().regex(/^\d{1,18}$/) })

/** The newest run whose findings the pack used for comparison. */
export function exceptionScanOf(parameters: PackManifest['parameters']): bigint {
  const { success, data } = SCAN.safeParse(parameters)
  return success ? BigInt(data.exceptionScan) : 0n
}

const PREVIOUS = z.object({ previousRun: z.string().nullable() })

/**
 * The run with which the summaries compare, empty for none; undefined if the manifest doesn't say.
 */
export function previousRunOf(parameters: PackManifest['parameters']): string | undefined {
  const { success, data } = PREVIOUS.safeParse(parameters)
  return success ? (data.previousRun ?? '') : undefined
}

/** Reports a pack that was changed after it was published; `name` is the file. */
export const altered = (name: string, what: string, cause?: unknown): Failure =>
  new Failure('pack_altered', `${name} ${what}`, { cause })

/** Throws pack_altered unless the last line is the hash of the text. */
export function parseManifest(bytes: Buffer): PackManifest {
  try {
    const { manifestSha256: _seal, ...content } = z
      .looseObject({ manifestSha256: z.string() })
      .parse(JSON.parse(bytes.toString('utf8')))
    if (Buffer.from(manifestText(content)).equals(bytes)) return MANIFEST.parse(content)
  } catch (cause) {
    throw altered('manifest.json', 'was changed after it was published', cause)
  }
  throw altered('manifest.json', 'was changed after it was published')
}
