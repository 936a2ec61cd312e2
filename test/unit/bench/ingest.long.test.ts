/** Goal: the measurement ends and counts correctly. Method: a small run, read as one line of JSON. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test('bench:ingest lands every record of its lists and compares each case with JSON.parse', async () => {
  const { stdout } = await run(process.execPath, [
    ...['bench/run.mjs', 'bench/ingest.ts'],
    ...['--records', '1200', '--rounds', '1'],
  ])
  const told = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  expect(told.cases).toMatchObject(
    [
      { page: 50, numbers: 'native' },
      { page: 500, numbers: 'native' },
      { page: 50, numbers: 'text' },
      { page: 500, numbers: 'text' },
    ].map((one) => ({ ...one, rows: 1200, certificate: 'CONTIGUOUS' })),
  )
  const native = told.cases.slice(0, 2).map((one: typeof told) => one.ratio_to_json_parse)
  expect(told.ratio_to_json_parse).toBe(Math.max(...native))
  // Each record that two pages share is loaded twice there: 20 records of three pages of 500.
  expect(told.routes.map((one: typeof told) => one.rows)).toEqual([1220, 1220, 1220])
})
