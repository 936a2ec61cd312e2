/** The files that a person can name: files, pipes and folders. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withSources } from '../../../cli/import/import-source.ts'
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
    const about = { folder: spool, signal, say: () => {}, format: undefined }
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
  const about = { folder, signal, say: () => {}, format: undefined }
  const refused = async (...names: string[]) =>
    withSources(names, about, async () => 'read').catch((error: unknown) => String(error))
  expect(await refused(join(folder, 'folder.csv'))).toMatch(/is a folder; name the files in it/)
  expect(await refused(join(folder, 'absent.csv'))).toMatch(/there is no such file/)
  expect(await refused('-', '/dev/stdin')).toMatch(/stdin is named twice/)
  expect(await refused('/dev/null')).toMatch(/is empty/)
})
