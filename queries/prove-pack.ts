/** Makes a delivered pack again from the lake, and compares the two byte for byte. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { rm } from 'node:fs/promises'
import { Failure } from '../domain/failure.ts'
import type { Settings } from '../domain/settings.ts'
import { temporaryFolder } from '../domain/temporary-folder.ts'
import { codeVersion } from '../lake/run/code-version.ts'
import { PackRows } from '../lake/results/pack-rows.ts'
import { erasedSince } from '../lake/maintenance/erase.ts'
import { readTrail } from '../lake/decisions/audit-trail.ts'
import { checkLake } from '../lake/connection/check-lake.ts'
import { readLake } from '../lake/connection/read-lake.ts'
import type { Lake } from '../lake/connection/lake.ts'
import { withScratch } from '../lake/run/spill-database.ts'
import { writeFiles } from '../reports/write-pack.ts'
import {
  auditOf,
  exceptionScanOf,
  previousRunOf,
  type PackManifest,
} from '../reports/pack/read-manifest.ts'
import type { VerifiedPack } from '../reports/verify-pack.ts'
import { runAllModels } from '../lake/run/run-all.ts'
import { parametersOf } from '../lake/run/run-variables.ts'
import { refuseOtherTrail } from './verify-trail.ts'
import { knowledgeFor } from '../lake/results/knowledge.ts'
import { type Knowledge } from '../domain/run.ts'

/** A pack that was verified, and perhaps the landing number or the time from which a person thinks that it was made. */
export type PackToProve = Pick<VerifiedPack, 'approval' | 'manifest'> & { knownAt?: string }

export interface Proof {
  /** Files that are equal byte for byte, and files that are not. */
  agreeing: readonly string[]
  differing: readonly string[]
  /** The version of the code that made the pack, and the version that made it again. */
  madeBy: string
  provedBy: string
}

/**
 * Makes every file except the manifest again, with the knowledge and the parameters of the pack. `settings` names the
 * lake. Throws pack_unproved if a file differs although the code is the same. Throws usage if the lake lacks the pack's
 * knowledge, and trail_broken if it lacks the pack's approval or an act that the pack knew. Throws usage if `knownAt`
 * names other knowledge. Throws lake_damaged.
 */
export async function provePack(
  settings: Settings,
  pack: PackToProve,
  say: (line: string) => void = () => {},
): Promise<Proof> {
  const { manifest } = pack
  const proving = async (connection: DuckDBConnection, lake: Lake) => {
    // Damage of a file must not look like another pack.
    await checkLake(lake, connection)
    refuseOtherTrail(await readTrail(connection), pack)
    const made = await makeAgain(connection, settings, pack)
    const { account, parameters } = manifest
    const isErased = await erasedSince(connection, account, auditOf(parameters).seq)
    return compared(manifest, made, isErased)
  }
  return readLake(settings.lake, proving, say)
}

/** Returns the hashes of the files as they are made now. */
async function makeAgain(
  connection: DuckDBConnection,
  settings: Settings,
  { manifest, knownAt }: PackToProve,
): Promise<Map<string, string>> {
  const { runId, account, from, to, asOf } = manifest
  const knowledge = await knowledgeOf(connection, manifest, knownAt)
  const run = { runId, account, window: { from, to }, asOf }
  return withScratch(settings.lake, connection, async (scratch) => {
    const about = { settings: settingsOf(settings, manifest), run, knowledge, scratch }
    await runAllModels(connection, about)
    const folder = temporaryFolder('prove')
    try {
      const files = await writeFiles(
        new PackRows(connection),
        { ...manifest, ...run, out: folder, parameters: parametersIn(manifest) },
        folder,
      )
      return new Map(files.map(({ name, sha256 }) => [name, sha256]))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

async function knowledgeOf(
  connection: DuckDBConnection,
  { account, knownAt, parameters }: PackManifest,
  asked = knownAt,
): Promise<Knowledge> {
  const knowledge = await knowledgeFor(connection, account, asked)
  if (String(knowledge.knownAt) === knownAt) {
    const previousRun = previousRunOf(parameters)
    return {
      ...knowledge,
      audit: auditOf(parameters),
      exceptionScan: exceptionScanOf(parameters),
      ...(previousRun === undefined ? {} : { previousRun }),
    }
  }
  if (asked !== knownAt) {
    throw new Failure(
      'usage',
      `the pack was made from knowledge ${knownAt}, and --known-at ${asked} is ${knowledge.knownAt}`,
      { remedy: 'leave --known-at out, or name the pack that was made from it' },
    )
  }
  throw new Failure(
    'usage',
    `the pack was made from knowledge ${knownAt}, and this lake holds ${knowledge.knownAt}`,
    { remedy: 'name the lake that the pack was made from with --lake' },
  )
}

/** Returns the parameters that the pack was made with, whatever is configured now. */
function settingsOf(settings: Settings, manifest: PackManifest): Settings {
  const then = { ...settings, ...parametersIn(manifest) }
  const { configHash } = parametersOf(then)
  if (configHash === manifest.configHash || manifest.codeVersion !== codeVersion()) return then
  throw new Failure(
    'pack_unproved',
    `manifest.json has configHash ${manifest.configHash}, and its parameters have ${configHash}`,
  )
}

/** The values were validated as settings when the pack was made, and the manifest has not changed since. */
const parametersIn = ({ parameters }: PackManifest) =>
  parameters as Partial<Settings> & Pick<Settings, 'currency' | 'timezone'>

const ERASED =
  'nothing, where only card keys, invoice and order numbers differ: somebody was erased since the pack was made'

function compared(
  manifest: PackManifest,
  made: ReadonlyMap<string, string>,
  isErased: boolean,
): Proof {
  const published = new Map(manifest.files.map(({ name, sha256 }) => [name, sha256]))
  const names = [...new Set([...published.keys(), ...made.keys()])]
  const isSame = (name: string) => published.get(name) === made.get(name)
  const differing = names.filter((name) => !isSame(name))
  const [madeBy, provedBy] = [manifest.codeVersion, codeVersion()]
  if (differing[0] !== undefined && madeBy === provedBy) {
    const others = differing.length > 1 ? `, and ${differing.length - 1} more files` : ''
    throw new Failure(
      'pack_unproved',
      `${differing[0]} comes out otherwise from the same knowledge, parameters and code${others}`,
      isErased ? { remedy: ERASED } : {},
    )
  }
  return { agreeing: names.filter(isSame), differing, madeBy, provedBy }
}
