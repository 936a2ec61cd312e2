import { mkdirSync, readdirSync, statfsSync, utimesSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { Failure } from '../../../domain/failure.ts'
import { lakeFailure } from '../../../lake/connection/lake-errors.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { raiseFence, transact } from '../../../lake/connection/transact.ts'
import { openReadOnly } from '../../../lake/query/open.ts'
import { sqlFailure } from '../../../lake/query/statement.ts'
import { backUp } from '../../../lake/maintenance/back-up.ts'
import { startDevServer } from '../../../workers/temporal/dev-server.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { mount, smallDisk } from '../../support/small-disk.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { lakeSettingsIn, rowsOf, tempFolder, tempLake } from '../../support/temp-lake.ts'

describe('a backup to a folder that takes no files', () => {
  const refused = (folder: string, why: string) => ({
    code: 'config_invalid',
    message: `the backup ${folder} can't be written: ${why}`,
    remedy: 'choose another --backup',
  })

  test('names the full or read-only disk of the backup, and goes to another one', async (context) => {
    const disk = smallDisk(context, '64k')
    const { lake, connection } = await tempLake()
    const folder = join(disk, 'copy')
    const full = refused(folder, 'the disk is full (ENOSPC)')
    await expect(backUp(lake, connection, { folder })).rejects.toMatchObject(full)
    expect(readdirSync(disk)).toEqual([])
    mount('-o', 'remount,ro', disk)
    const readOnly = refused(folder, 'the disk is read-only (EROFS)')
    await expect(backUp(lake, connection, { folder })).rejects.toMatchObject(readOnly)
    const elsewhere = join(tempFolder(), 'copy')
    await expect(backUp(lake, connection, { folder: elsewhere })).resolves.toMatchObject({
      folder: elsewhere,
    })
  })

  test('names the full disk of a copy that opens without room for its log', async (context) => {
    const { lake, connection } = await tempLake()
    const whole = join(tempFolder(), 'whole')
    await backUp(lake, connection, { folder: whole })
    const disk = smallDisk(context, '16m')
    await cp(whole, join(disk, 'copy'), { recursive: true })
    const room_kb = Math.ceil(usedOf(disk) / 1024)
    await rm(join(disk, 'copy'), { recursive: true })
    mount('-o', `remount,size=${room_kb}k`, disk)
    await expect(backUp(lake, connection, { folder: join(disk, 'copy') })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(
        `the backup ${join(disk, 'copy')} can't be written: the disk`,
      ),
    })
  })

  test('names a path that can take no folders', async () => {
    const { lake, connection } = await tempLake()
    const file = join(tempFolder(), 'file')
    writeFileSync(file, '')
    for (const [folder, why] of [
      [join(file, 'copy'), 'a part of the path is not a folder (ENOTDIR)'],
      ['/proc/nope/copy', 'there is no such file or folder (ENOENT)'],
    ] as const) {
      await expect(backUp(lake, connection, { folder })).rejects.toMatchObject(refused(folder, why))
    }
  })
})

const usedOf = (disk: string): number => {
  const { blocks, bfree, bsize } = statfsSync(disk)
  return (blocks - bfree) * bsize
}

describe('a disk of three megabytes', () => {
  test('a landing that does not fit fails with its cause, loses nothing, and fits once there is room', async (context) => {
    const folder = smallDisk(context, '3m')
    const shared = new SharedLake(lakeSettingsIn(join(folder, 'lake')), () => {})
    onTestFinished(() => shared.close())
    const land = (rows: number) =>
      shared.connected((lake, connection) =>
        transact(lake, connection, async () => {
          const seq = await raiseFence(connection)
          await connection.run(
            `insert into lake.ops.landing select $1, uuid()::varchar, 's', 1, 1, 1, 0, null, '' from range($2::bigint)`,
            [seq, BigInt(rows)],
          )
        }),
      )
    const landed = () =>
      shared.connected((_lake, connection) =>
        rowsOf(
          connection,
          'select landing_seq::int as seq, count(*)::int as n from lake.ops.landing group by 1 order by 1',
        ),
      )
    await land(10)
    await expect(land(200_000)).rejects.toMatchObject({
      code: 'lake_unreachable',
      message: expect.stringContaining('the disk is full'),
      remedy: expect.stringContaining('free some space'),
    })
    expect(await landed()).toEqual([{ seq: 1, n: 10 }])
    mount('-o', 'remount,size=64m', folder)
    await land(200_000)
    expect(await landed()).toEqual([
      { seq: 1, n: 10 },
      { seq: 2, n: 200_000 },
    ])
  })

  test('a lake on a read-only disk fails with that cause', async (context) => {
    const folder = smallDisk(context, '3m')
    const settings = lakeSettingsIn(join(folder, 'lake'))
    const first = new SharedLake(settings, () => {})
    await first.lake()
    await first.close()
    mount('-o', 'remount,ro', folder)
    const shared = new SharedLake(settings, () => {})
    onTestFinished(() => shared.close())
    await expect(shared.connected(() => Promise.resolve())).rejects.toMatchObject({
      code: 'lake_unreachable',
      message: expect.stringContaining("can't be written"),
    })
  })
})

test.each([
  [
    'IO Error: Could not write file "x.parquet": No space left on device',
    'the disk is full at x.parquet (ENOSPC)',
  ],
  ['Error: database or disk is full', 'the disk is full'],
  [
    'Failed to execute query "PRAGMA journal_mode=WAL": disk I/O error',
    "the disk can't be read or written (EIO)",
  ],
  ["EIO: i/o error, fsync 'x'", "the disk can't be read or written (EIO)"],
  ["EROFS: read-only file system, chmod 'lake'", "can't be written (EROFS)"],
  ['IO Error: Cannot open file "x": Too many open files', 'too many open files (EMFILE)'],
  ['permission denied for schema public', 'no right to its tables (42501)'],
  [
    'HTTP Error: HTTP PUT error (HTTP 403 Forbidden)\nSignatureDoesNotMatch: ...',
    'refused the secret key (SignatureDoesNotMatch)',
  ],
  [
    "IO Error: SSL peer certificate or SSH remote key was not OK error for HTTP GET to 'https://x'",
    'the issuer of the certificate is unknown',
  ],
  ['HTTP Error: certificate has expired', 'the certificate has expired (CERT_HAS_EXPIRED)'],
  ['attempt to write a readonly database', "can't be written"],
  [
    'IO Error: Cannot open file "x.parquet": Permission denied',
    "x.parquet can't be written (EACCES)",
  ],
])('%s means that %s', (said, meant) => {
  expect(lakeFailure(new Error(said))).toMatchObject({
    code: 'lake_unreachable',
    message: expect.stringContaining(meant),
  })
})

describe('memory_limit', () => {
  const tooSmall = {
    code: 'config_invalid',
    message: expect.stringContaining('needs more memory than duckdb.memory_limit allows'),
    remedy: expect.stringContaining('raise duckdb.memory_limit'),
    retry: false,
  }

  test('a limit that is too small to open the lake is named', async () => {
    const settings = { ...emptyLakeIn(tempFolder()), memoryLimit: '1MB' }
    await expect(openLake(settings)).rejects.toMatchObject(tooSmall)
    await expect(openReadOnly(settings)).rejects.toMatchObject(tooSmall)
  })

  test('a limit that is too small for the work of an activity or a model is named', async () => {
    const { connection } = await tempLake()
    await connection.run("set memory_limit = '20MB'; set max_temp_directory_size = '1GB'")
    const work = connection.run("select list(range::varchar || 'a text') from range(3000000)")
    const error: unknown = await work.catch((cause: unknown) => cause)
    expect(lakeFailure(error)).toMatchObject(tooSmall)
    const ofModel = new Failure('bug', 'a model failed', { cause: error })
    expect(lakeFailure(ofModel)).toMatchObject(tooSmall)
    expect(sqlFailure(error)).toMatchObject({ code: 'query_refused' })
  })

  test('a disk without room for spill files is full', async () => {
    const { connection } = await tempLake()
    await connection.run("set memory_limit = '20MB'; set max_temp_directory_size = '1MB'")
    const work = connection.run('create temp table t as select random() from range(5000000)')
    const error: unknown = await work.catch((cause: unknown) => cause)
    expect(lakeFailure(error)).toMatchObject({
      code: 'lake_unreachable',
      message: expect.stringContaining('the disk is full'),
    })
  })
})

test('a failure that may pass is tried again, and its cause is named', () => {
  const said = 'IO Error: Could not connect to server error for HTTP GET'
  expect(lakeFailure(new Error(said))).toMatchObject({
    code: 'lake_lost',
    message: expect.stringContaining('no program listens there (ECONNREFUSED)'),
  })
})

test.each([
  [
    "HTTP Error: HTTP GET error reading 's3://one/a.parquet' in region 'x' (HTTP 404 Not Found)",
    'lake_damaged',
    'the lake is damaged: its file s3://one/a.parquet is missing',
  ],
  [
    'HTTP Error: Content-Length from server mismatches requested range, server may not support range requests.',
    'lake_damaged',
    "the lake is damaged: one of its files can't be read",
  ],
  [
    "HTTP Error: HTTP GET error reading 'http://h/a.parquet' in region 'x' (HTTP 404 Not Found)\n\nNoSuchBucket: x",
    'lake_unreachable',
    "the lake can't be used: the store has no such bucket (NoSuchBucket)",
  ],
  [
    "HTTP Error: HTTP GET error reading 's3://one/404.parquet' in region 'x' (HTTP 503 Slow Down)",
    'lake_lost',
    'the catalog or the object store of the lake does not answer',
  ],
])(
  'an object that does not exist is missing, a shorter one is damage, and a bucket or an answer is neither: %s',
  (said, code, message) => {
    expect(lakeFailure(new Error(said))).toMatchObject({ code, message })
  },
)

test('a statement to which PostgreSQL gives no answer lost its connection, and is tried again', () => {
  const query = 'TransactionContext Error: Failed to commit: Failed to execute query "COMMIT": '
  for (const error of [
    new Error(query),
    new Error('stopped', { cause: new Error(`${query}\n`) }),
  ]) {
    expect(lakeFailure(error)).toMatchObject({ code: 'lake_lost' })
  }
  expect(lakeFailure(new Error(`${query}ERROR: syntax error`))).toBeUndefined()
})

test('a transaction that DuckLake lost with its connection is tried again', () => {
  const said =
    'TransactionContext Error: Failed to get data file list from DuckLake: Current transaction is aborted (please ROLLBACK)'
  expect(lakeFailure(new Error(said))).toMatchObject({ code: 'lake_lost' })
})

test('a lake whose catalog is no database fails with its folder', async () => {
  const settings = lakeSettingsIn(join(tempFolder(), 'blocked'))
  mkdirSync(settings.folder)
  writeFileSync(join(settings.folder, 'catalog.sqlite'), 'x'.repeat(5000))
  await expect(openLake(settings)).rejects.toMatchObject({
    code: 'lake_unreachable',
    message: `the lake in ${settings.folder} can't be opened: its catalog is not a database`,
  })
})

test.each([
  [{ TIEOUT_LAKE: 'postgres://lake@127.0.0.1:1/one' }, 'no program listens there (ECONNREFUSED)'],
  [
    { TIEOUT_LAKE: 'postgres://lake@no.such.host.invalid/one' },
    'the host name is unknown (ENOTFOUND)',
  ],
])('an unreachable catalog is reported with its cause: %o', async (env, why) => {
  const folder = tempFolder()
  const shared = { TIEOUT_LAKE_DATA: join(folder, 'files'), TIEOUT_HASH_KEY: 'k', ...env }
  const { lake } = readSettings({}, 'lake', shared)
  await expect(openLake({ ...lake, folder })).rejects.toMatchObject({
    code: 'lake_unreachable',
    message: expect.stringContaining(why),
  })
})

test('a Temporal server whose first start failed on a full disk starts once there is room', async () => {
  const folder = tempFolder()
  const place = join(folder, 'temporal')
  mkdirSync(place)
  // The database was made and not written, and so was the file by which one process at a time starts a server.
  writeFileSync(join(place, 'temporal.db'), '')
  writeFileSync(join(place, 'starting'), '')
  utimesSync(join(place, 'starting'), 1, 1)
  const server = await startDevServer(folder, { owner: 'command', say: () => {} })
  await server.stop()
  expect(server.address).toMatch(/^127\.0\.0\.1:\d+$/)
})
