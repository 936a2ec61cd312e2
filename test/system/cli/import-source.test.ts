/** The files that a person can name: files, pipes and folders. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withSources } from '../../../cli/import/import-source.ts'
import { newPlace, tieout } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const { signal } = new AbortController()

test('a pipe is read to its end, in the format of its first bytes, and leaves no file behind', async () => {
  const folder = tempFolder()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const spool = join(folder, 'spool')
  for (const [text, format] of [
    ['{"a":1}\n', 'ndjson'],
    ['[{"a":1}]', 'ndjson'],
    ['a,b\n', 'csv'],
  ] as const) {
    const about = { folder: spool, signal, format: undefined }
    const read = withSources([pipe], about, async ([source]) => {
      expect(source).toMatchObject({ name: pipe, format, exportedAt: expect.any(String) })
      return readFileSync(source?.file ?? '', 'utf8')
    })
    await writeFile(pipe, text)
    expect(await read).toBe(text)
    expect(readdirSync(spool)).toEqual([])
  }
})

test('a folder, a missing file and a pipe that is named twice are refused with the reason', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'folder.csv'))
  const about = { folder, signal, format: undefined }
  const refused = async (...names: string[]) =>
    withSources(names, about, async () => 'read').catch((error: unknown) => String(error))
  expect(await refused(join(folder, 'folder.csv'))).toMatch(/is a folder; name the files in it/)
  expect(await refused(join(folder, 'absent.csv'))).toMatch(/there is no such file/)
  expect(await refused('-', '/dev/stdin')).toMatch(/stdin is named twice/)
})

test('a workbook is not said to be importable with another format', async () => {
  const file = join(tempFolder(), 'sales.xlsx')
  await writeFile(file, 'PK')
  const about = { folder: tempFolder(), signal, format: undefined }
  await expect(withSources([file], about, async () => 'read')).rejects.toMatchObject({
    ...{ code: 'usage', remedy: 'save the sheet of the workbook as CSV, and import that file' },
  })
})

test('a device is refused by name, through a link and as stdin too, and nothing of it is copied', async () => {
  const folder = tempFolder()
  const link = join(folder, 'zero.csv')
  symlinkSync('/dev/zero', link)
  const spool = join(folder, 'spool')
  // A device that is read after all ends the test instead of filling the disk.
  const about = { folder: spool, signal: AbortSignal.timeout(200), format: undefined }
  for (const name of ['/dev/zero', '/dev/null', link]) {
    await expect(withSources([name], about, async () => 'read')).rejects.toMatchObject({
      code: 'import_unreadable',
      message: `${name}: is a device or a terminal; name a file or a pipe`,
    })
  }
  expect(readdirSync(folder)).toEqual(['zero.csv'])
  // The commands of tests have /dev/null as stdin.
  const { code, stderr } = await tieout(['import', '--check', '-'], newPlace())
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining('stdin: is a device'),
  })
})

test('the next command after a check has the same lake, config file and account', async () => {
  const place = newPlace()
  const [file, config] = [join(place.cwd, 'sales.ndjson'), join(place.cwd, 'my config.yaml')]
  await writeFile(config, 'timezone: UTC\n')
  await writeFile(
    file,
    '{"transactionId":1,"terminalId":41,"action":"CHARGE","status":"CAPTURE","created":"2026-03-01T10:00:00Z","amountTotal":12.3}\n',
  )
  const flags = ['--lake', './books', '--config', config, '--account', 'acme']
  const { code, stdout } = await tieoutHere([...flags, 'import', '--check', file], place)
  const next = `next: npx --no-install tieout --config '${config}' --account acme --lake ./books import ${file}`
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, next])
  const inJson = await tieoutHere([...flags, '--json', 'import', '--check', file], place)
  expect(JSON.parse(inJson.stdout)).toMatchObject({ files: [{ next }] })
})
