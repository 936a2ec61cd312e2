import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFiles } from '../../../lake/connection/new-files.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const NOW_MS = Date.now()
const [HOUR_AGO, NOW] = [(NOW_MS - 3_600_000) / 1000, NOW_MS / 1000]
const dated = (path: string, at: number) => utimesSync(path, at, at)

/** A lake of an hour ago: a table in months, and one without. */
function lake() {
  const root = tempFolder()
  const [month, plain] = [join(root, 'seen', 'versions', 'month=10'), join(root, 'ops', 'landing')]
  const folders = [root, join(root, 'seen'), join(root, 'seen', 'versions'), join(root, 'ops')]
  for (const folder of [month, plain]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'old.parquet'), '')
    dated(join(folder, 'old.parquet'), HOUR_AGO)
  }
  const rest = () => {
    for (const folder of [...folders, month, plain]) dated(folder, HOUR_AGO)
  }
  rest()
  return { root, month, plain, rest }
}

/** A file of now in a folder that has changed by it, below others that have not. */
function add(folder: string, name: string, rest: () => void): string {
  const file = join(folder, name)
  writeFileSync(file, '')
  rest()
  dated(folder, NOW)
  return file
}

test('a new file is found in every folder, also on a second search, and no older file is', () => {
  const { root, month, plain, rest } = lake()
  const found = () => [...newFiles(root, NOW_MS)]
  expect(found()).toEqual([])
  const first = add(month, 'a.parquet', rest)
  expect(found()).toEqual([first])
  rest()
  expect(found()).toEqual([])
  const second = add(plain, 'b.parquet', rest)
  expect(found()).toEqual([second])
})

test('the folder of a new month is searched', () => {
  const { root, rest } = lake()
  const found = () => [...newFiles(root, NOW_MS)]
  expect(found()).toEqual([])
  const [table, november] = ['', 'month=11'].map((name) => join(root, 'seen', 'versions', name))
  mkdirSync(november ?? '')
  const file = add(november ?? '', 'a.parquet', rest)
  dated(table ?? '', NOW)
  expect(found()).toEqual([file])
})

test('a folder without a new file is not listed again', () => {
  const { root, plain, rest } = lake()
  const file = add(plain, 'c.parquet', rest)
  expect([...newFiles(root, NOW_MS)]).toEqual([file])
  // The file is as new as before; only the folder says that nothing came to it.
  rest()
  expect([...newFiles(root, NOW_MS)]).toEqual([])
})
