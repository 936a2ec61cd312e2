/** A pack as it is compared: a hash of each file's content, without the names of the run, the code and any port. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { beganAt } from '../../../reports/pack/preparation.ts'

/** Hash by the file's path inside the pack; of the workbook by the path inside it, too. */
export type PackContents = Record<string, string>

/** Reads a published pack. */
export function packContents(pack: string): PackContents {
  const names = readdirSync(pack, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(pack, name)).isFile())
    .sort()
  const runId = basename(realpathSync(pack))
  return Object.fromEntries(
    names.flatMap((name) => compared(name, readFileSync(join(pack, name)), runId)),
  )
}

function compared(name: string, bytes: Buffer, runId: string): [string, string][] {
  // The summaries name the times of their own run and of the earlier one.
  const withoutTime = (text: string) =>
    withoutNames(
      [runId, ...(text.match(RUN_ID) ?? [])].reduce(
        (rest, run) => rest.replaceAll(beganAt(run) ?? run, 'BEGUN'),
        text,
      ),
    )
  if (name === 'manifest.json') return [[name, sha256(manifestText(bytes.toString()))]]
  if (name === 'sweeps.csv') return [[name, sha256(withoutTimedColumns(bytes.toString()))]]
  if (name === 'summary.html') return [[name, sha256(withoutTime(bytes.toString()))]]
  if (name.endsWith('.xlsx')) {
    return entriesOf(bytes).map((entry) => [
      `${name}/${entry.name}`,
      sha256(withoutTime(entry.content.toString())),
    ])
  }
  return [[name, sha256(bytes)]]
}

const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')

const RUN_ID = /\d{8}T\d{6}Z-[0-9a-f]{8}/g

/** Run ids begin with the wall-clock time; a code version ends with a hash of all models. */
const withoutNames = (text: string): string =>
  text.replaceAll(RUN_ID, 'RUN').replaceAll(/\b\d+\.\d+\.\d+\+[0-9a-f]{12}/g, 'CODE')

/**
 * The hash of every body is in the last column, and transactions name the port of the service. On a slow machine the
 * service may throttle a request, which the two columns of requests count.
 */
const withoutTimedColumns = (csv: string): string =>
  csv.replaceAll(/,\w+,\w+,(\w+),[^,\r]*\r\n/g, ',$1\r\n')

/**
 * Everything but the names, the manifest's own hash, and the size and hash of the files that are compared without theirs.
 * Earlier versions have no version of the schema.
 */
function manifestText(text: string): string {
  const manifest: Record<string, unknown> = JSON.parse(text)
  const { runId: _run, codeVersion: _code, manifestSha256: _sha256, ...content } = manifest
  const { schemaVersion: _version, files, ...rest } = content
  const listed: { name: string; rows: number; bytes: number; sha256: string }[] = JSON.parse(
    JSON.stringify(files),
  )
  const fixed = listed.map(({ name, rows, bytes, sha256 }) =>
    /^(?:sweeps|summary)\./.test(name) ? { name, rows } : { name, rows, bytes, sha256 },
  )
  return withoutNames(JSON.stringify({ ...rest, files: fixed }))
}

/** The entries of a zip archive, by its central directory. */
function entriesOf(zip: Buffer): { name: string; content: Buffer }[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const entries: { name: string; content: Buffer }[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(begin, begin + zip.readUInt32LE(at + 20))
    entries.push({ name, content: zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}
