/** Goal: a TMPDIR that takes no files is named. Method: folders that can't be there, and a disk of 64 KB. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { withSources } from '../../../cli/import/import-source.ts'
import { withCatalogCopy } from '../../../lake/connection/read-only-copy.ts'
import { makeScratch } from '../../../reports/store/scratch-folder.ts'
import { projectFiles } from '../../house/project-files.ts'
import { newPlace, tieout } from '../../support/built.ts'
import { smallDisk } from '../../support/small-disk.ts'
import { lakeSettingsIn, tempFolder } from '../../support/temp-lake.ts'

const HEADER = 'transactionId,terminalId,action,status,created,amountTotal\n'
const ROWS = Array.from(
  { length: 20_000 },
  (_, at) => `${at + 1},41,CHARGE,CAPTURED,2026-03-01T10:00:00Z,12.${10 + (at % 90)}\n`,
)

/** Checks a file whose name ends so, with `TMPDIR` at a folder. */
function checked(name: string, folder: string) {
  const place = newPlace({ TMPDIR: folder })
  const text = HEADER + ROWS.join('')
  writeFileSync(join(place.cwd, name), name.endsWith('.gz') ? gzipSync(text) : text)
  return tieout(['import', '--list', 'transactions', '--check', name], place)
}

describe.each(['/nonexistent', '/proc'])('TMPDIR=%s', (folder) => {
  const message = `the folder ${folder} can't take temporary files: there is no such file or folder (ENOENT)`

  test('stops a check of a file, and a console before it says that it is ready', async () => {
    const refused = { code: 2, stderr: expect.stringContaining(`config_invalid: ${message}`) }
    expect(await checked('one.csv', folder)).toMatchObject(refused)
    const opened = await tieout(['open'], newPlace({ TMPDIR: folder }))
    expect(opened).toMatchObject({ ...refused, stdout: '' })
  })

  test('stops the copy of a catalog and that of a pack', async () => {
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const refused = {
      code: 'config_invalid',
      message,
      remedy: expect.stringMatching(/^set TMPDIR/),
    }
    expect(() => withCatalogCopy(lakeSettingsIn('/lake'))).toThrow(expect.objectContaining(refused))
    await expect(makeScratch('copy')).rejects.toMatchObject(refused)
  })
})

test('every other folder for temporary files is made by the same function', () => {
  const tops = [
    'activities',
    'api',
    'cli',
    'domain',
    'lake',
    'queries',
    'reports',
    'web',
    'workers',
  ]
  const files = tops.flatMap((top) => projectFiles(top)).filter(({ path }) => /\.tsx?$/.test(path))
  const makers = files.filter(({ text }) => /\btmpdir\b/.test(text)).map(({ path }) => path)
  expect(makers).toEqual(['domain/temporary-folder.ts'])
})

test.for(['one.csv', 'one.csv.gz'])(
  'a check of %s names the disk of TMPDIR if it is full',
  async (name, context) => {
    const disk = smallDisk(context, '64k')
    const { code, stderr } = await checked(name, disk)
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining(
        `lake_unreachable: the disk is full at ${disk}/tieout-import-`,
      ),
    })
  },
)

test('a lake whose disk is too full for the copy of a pipe says so', async (context) => {
  const disk = smallDisk(context, '64k')
  const signal = AbortSignal.timeout(10_000)
  const pipe = join(tempFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const written = writeFile(pipe, ROWS.join('')).catch(() => {})
  const about = { folder: disk, signal, format: 'csv' as const }
  await expect(withSources([pipe], about, async () => 'read')).rejects.toMatchObject({
    code: 'lake_unreachable',
    message: expect.stringContaining('the disk is full'),
  })
  await written
})
