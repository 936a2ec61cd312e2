import { lstatSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlace, simulate, startTieout, type Place, type Started } from '../../support/built.ts'

const NOW = '2026-10-30T04:15:00Z'
const WORLD = ['--terminals', '1', '--transactions', '200', '--from', '2026-09-10', '--days', '55']
const RUN = ['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', NOW]

function startUnder(umask: number, args: readonly string[], place: Place): Started {
  const before = process.umask(umask)
  try {
    return startTieout(args, place)
  } finally {
    process.umask(before)
  }
}

/** The mode of each file and folder below a folder, by path. Links have none of their own. */
function modesIn(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const stat = lstatSync(join(folder, path), { throwIfNoEntry: false })
    if (stat === undefined || stat.isSymbolicLink()) return []
    return [[path, `${stat.isDirectory() ? 'd' : ''}${(stat.mode & 0o777).toString(8)}`]]
  })
}

/** Runs commands that must succeed, one after the other. */
async function run(umask: number, place: Place, commands: readonly string[][]): Promise<void> {
  for (const args of commands) {
    const { code, stderr } = await startUnder(umask, args, place).ended
    expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' })
  }
}

const LATER = [
  ['init'],
  ['query', 'select * from settlements', '--output', 'answer.csv'],
  ['query', 'select * from settlements', '--output', 'answer.parquet'],
  ['maintain', '--backup', 'copy'],
]
const WRITTEN = [
  ...['data/catalog.sqlite', 'data/hash.key', 'copy/catalog.sqlite', 'copy/hash.key'],
  ...['answer.csv', 'answer.parquet', 'tieout.yaml'],
]

/** Everything is for its owner alone, but the config file. */
function expectDocumented(place: Place): string[] {
  const modes = modesIn(place.cwd)
  const paths = modes.map(([path]) => path)
  for (const path of WRITTEN) expect(paths).toContain(path)
  expect(paths.some((path) => /^data.parquet.*\.parquet$/.test(path))).toBe(true)
  const others = modes.filter(([, mode]) => !['600', 'd700'].includes(mode))
  expect(others).toEqual([['tieout.yaml', '644']])
  return paths
}

test('every file has its documented mode under a umask that forbids nothing', async () => {
  const world = newPlace()
  const truth = ['--truth', 'truth.json']
  const place = newPlace(await simulate([...WORLD, '--now', NOW, ...truth], world))
  const worker = startUnder(0o000, ['worker'], place)
  await worker.says('worker ready')
  await run(0o000, place, [RUN, ...LATER])
  const paths = expectDocumented(place)
  expect(paths).toContain('data/temporal/server.json')
  expect(paths).toContain('data/temporal/temporal.db')
  expect(paths.some((path) => path.endsWith('manifest.json'))).toBe(true)
  expect(modesIn(world.cwd)).toEqual([['truth.json', '600']])
  worker.kill('SIGTERM')
  await worker.ended
})

test('others may read the config file alone under a umask that forbids them all, too', async () => {
  const place = newPlace()
  const file = join(newPlace().cwd, 'late.ndjson')
  const record = { settlementId: 1, terminalId: 1, status: 'COMPLETE', amountNet: '5.00' }
  writeFileSync(file, `${JSON.stringify({ ...record, created: '2026-10-10T10:00:00Z' })}\n`)
  await run(0o077, place, [['import', file, '--list', 'settlements'], ...LATER])
  expectDocumented(place)
})
