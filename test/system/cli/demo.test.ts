import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clearForDemo } from '../../../cli/setup/clear-demo.ts'
import type { Settings } from '../../../domain/settings.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { newPlace, tieout } from '../../support/built.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const SILENT = { say: () => {} }
const RUN = `insert into lake.ops.run (run_id, account) values ('r', 'ACCOUNT')`

/** A lake with rows of its own, and packs beside it. */
async function demoWith(...rows: string[]): Promise<Settings> {
  const folder = tempFolder()
  const out = join(folder, 'out')
  const settings = readSettings({ lake: join(folder, 'lake'), out, account: 'demo' }, 'lake', {})
  const lake = await openLake(emptyLakeIn(folder, 'lake'))
  const connection = await lake.connect()
  for (const sql of rows) await connection.run(sql)
  connection.closeSync()
  lake.close()
  mkdirSync(join(out, 'demo'), { recursive: true })
  writeFileSync(join(out, 'truth.json'), '')
  return settings
}

describe('the demo begins afresh', () => {
  test('the demo clears a folder of an earlier demo, and leaves other files there', async () => {
    const settings = await demoWith(RUN.replace('ACCOUNT', 'demo'))
    const { folder } = settings.lake
    writeFileSync(join(folder, 'notes.txt'), '')
    writeFileSync(join(settings.out, 'notes.txt'), '')
    const said: string[] = []
    await clearForDemo(settings, { ...SILENT, say: (line) => said.push(line) })
    const packs = join(settings.out, 'demo')
    expect(said).toEqual([`this demo replaces the earlier one in ${folder} and ${packs}`])
    expect(readdirSync(folder).toSorted()).toEqual(['made-by-demo', 'notes.txt'])
    expect(readdirSync(settings.out)).toEqual(['notes.txt'])
  })

  test('the demo begins in a missing folder, and in one that it left before it had a lake', async () => {
    const settings = readSettings({ lake: join(tempFolder(), 'a', 'b') }, 'lake', {})
    await clearForDemo(settings, SILENT)
    mkdirSync(join(settings.lake.folder, 'temporal'))
    await clearForDemo(settings, SILENT)
    expect(readdirSync(settings.lake.folder)).toEqual(['made-by-demo'])
  })
})

describe('the demo refuses, and removes nothing of', () => {
  test.each([
    [
      'a lake in which a person has decided something',
      [
        RUN.replace('ACCOUNT', 'demo'),
        `insert into lake.ops.audit (seq, account, action) values (1, 'demo', 'exception.waive')`,
      ],
      'holds decisions of people: 1 acts in the audit trail',
    ],
    [
      'a lake into which a person has brought files',
      [
        RUN.replace('ACCOUNT', 'demo'),
        `insert into lake.ops.imported_file (account) values ('demo')`,
      ],
      'holds decisions of people: 1 imported files',
    ],
    [
      'the lake of another account',
      [RUN.replace('ACCOUNT', 'acme')],
      'is not a folder of the demo',
    ],
    ['a lake of which nobody knows whose it is', [], 'is not a folder of the demo'],
  ])('%s', async (_what, rows, why) => {
    const settings = await demoWith(...rows)
    await expect(clearForDemo(settings, SILENT)).rejects.toMatchObject({
      code: 'would_overwrite',
      message: expect.stringContaining(why),
    })
    expect(readdirSync(settings.lake.folder)).toContain('catalog.sqlite')
    expect(existsSync(join(settings.out, 'demo'))).toBe(true)
  })

  test('a folder without a lake', async () => {
    const place = newPlace()
    writeFileSync(join(place.cwd, 'notes.txt'), '')
    const { code, stderr } = await tieout(['demo', '--lake', '.', '--transactions', '100'], place)
    expect(code).toBe(5)
    expect(stderr).toMatch(/^error would_overwrite: .* is not a folder of the demo/)
    expect(readdirSync(place.cwd)).toEqual(['notes.txt'])
  })
})
