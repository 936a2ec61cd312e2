/** Looks for forbidden texts in every byte of a folder, also inside compressed file formats. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join, relative } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { extensionFolder, loadExtensions } from '../../../lake/connection/extensions.ts'

export interface Finding {
  /** File, and the part of it, such as a table or an entry of an archive. */
  place: string
  text: string
  spelling: string
}

/** The spellings of a text in bytes: in any letter case, in base64, in hex, in two bytes per letter. */
interface Needle {
  text: string
  spelling: string
  /** The text is in lower case if case is ignored. */
  sought: string
  anyCase: boolean
}

function needlesOf(text: string): Needle[] {
  const bytes = Buffer.from(text)
  const wide = Buffer.from(text, 'utf16le').toString('latin1')
  const hex = bytes.toString('hex')
  return [
    {
      text,
      spelling: 'plain',
      sought: bytes.toString('latin1').toLowerCase(),
      anyCase: true,
    },
    { text, spelling: 'two bytes', sought: wide.toLowerCase(), anyCase: true },
    { text, spelling: 'hex', sought: hex, anyCase: true },
    ...[0, 1, 2].flatMap((before) => {
      const sought = base64Inside(bytes, before)
      const safe = sought.replaceAll('+', '-').replaceAll('/', '_')
      return [...new Set([sought, safe])].map((spelled) => ({
        text,
        spelling: 'base64',
        sought: spelled,
        anyCase: false,
      }))
    }),
  ]
}

/** The letters of base64 that depend on these bytes alone, where so many others stand before them. */
function base64Inside(bytes: Buffer, before: number): string {
  const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url')
  const whole = Math.floor(((before + bytes.length) * 8) / 6)
  return coded
    .slice(Math.ceil((before * 8) / 6), whole)
    .replaceAll('-', '+')
    .replaceAll('_', '/')
}

const covers = (short: Needle, long: Needle) =>
  short.spelling === long.spelling && short.sought !== '' && long.sought.includes(short.sought)

/** A search for these texts; each is looked for in every spelling. */
export function searchFor(texts: readonly string[]) {
  const all = [...new Set(texts)].flatMap(needlesOf)
  // A search for a name also finds an address with that name.
  const needles = all.filter(
    (needle, at) =>
      !all.some(
        (other, place) => covers(other, needle) && (other.sought !== needle.sought || place < at),
      ),
  )

  function inBytes(place: string, bytes: Buffer): Finding[] {
    const exact = bytes.toString('latin1')
    const lower = exact.toLowerCase()
    return needles
      .filter(({ sought, anyCase }) => (anyCase ? lower : exact).includes(sought))
      .map(({ text, spelling }) => ({ place, text, spelling }))
  }

  return {
    inText: (place: string, text: string) => inBytes(place, Buffer.from(text)),
    in: (contents: readonly Content[]) =>
      contents.flatMap(({ place, bytes }) => inBytes(place, bytes)),
    /** Searches every file below a folder; nothing may be at work in it. */
    inFolder: async (folder: string) =>
      (await contentsOf(folder)).flatMap(({ place, bytes }) => inBytes(place, bytes)),
  }
}

export interface Content {
  place: string
  bytes: Buffer
}

/** All files as they lie there, and what Parquet files, SQLite files and archives hold, read out of them. */
export async function contentsOf(folder: string): Promise<Content[]> {
  const extensions = await extensionFolder()
  const options = extensions === undefined ? {} : { extension_directory: extensions }
  const instance = await DuckDBInstance.create(':memory:', options)
  const connection = await instance.connect()
  await loadExtensions(connection, ['sqlite_scanner'], () => {})
  try {
    const contents: Content[] = []
    for (const file of filesBelow(folder)) {
      const place = relative(folder, file)
      const bytes = readFileSync(file)
      // The name of a file tells something, too.
      contents.push({ place: `${place} (name)`, bytes: Buffer.from(place) }, { place, bytes })
      for (const inner of await inside(connection, file, bytes)) {
        contents.push({ place: `${place} ${inner.place}`, bytes: inner.bytes })
      }
    }
    return contents
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

async function inside(connection: DuckDBConnection, file: string, bytes: Buffer) {
  if (extname(file) === '.parquet') {
    return [await rowsAsText(connection, `read_parquet('${file}')`, '(rows)')]
  }
  if (bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3')
    return tables(connection, file)
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return entries(bytes)
  return []
}

async function rowsAsText(
  connection: DuckDBConnection,
  source: string,
  place: string,
): Promise<Content> {
  const reader = await connection.runAndReadAll(`select columns(*)::varchar from ${source}`)
  const rows = reader.getRows().map((row) => row.map(String).join('\u0000'))
  return { place, bytes: Buffer.from(rows.join('\n')) }
}

/** Reads every table of a copy with its write-ahead log, so that the file itself stays as it is. */
async function tables(connection: DuckDBConnection, file: string): Promise<Content[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'tieout-search-'))
  const copy = join(scratch, basename(file))
  for (const end of ['', '-wal']) {
    if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`)
  }
  try {
    await connection.run('set sqlite_all_varchar = true')
    await connection.run(`attach '${copy}' as searched (type sqlite)`)
    const reader = await connection.runAndReadAll(
      `select table_name from duckdb_tables() where database_name = 'searched'`,
    )
    const contents: Content[] = []
    for (const [name] of reader.getRows()) {
      const table = `searched."${String(name)}"`
      contents.push(await rowsAsText(connection, table, `(table ${String(name)})`))
    }
    return contents
  } finally {
    await connection.run('detach database if exists searched')
    rmSync(scratch, { recursive: true, force: true })
  }
}

const CENTRAL = 0x0201_4b50

/** Unpacks a zip archive by its central directory. */
function entries(zip: Buffer): Content[] {
  const contents: Content[] = []
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  let at = zip.readUInt32LE(end + 16)
  while (at < end && zip.readUInt32LE(at) === CENTRAL) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place))
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(start, start + packed)
    const name = zip.subarray(at + 46, at + 46 + (nameLength ?? 0)).toString('utf8')
    contents.push({ place: `(entry ${name})`, bytes: method === 0 ? data : inflateRawSync(data) })
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return contents
}
