import { lstatSync, readdirSync } from 'node:fs'
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

test.each([0o000, 0o077])(
  'every file has its documented mode under the umask %o',
  async (umask) => {
    const world = newPlace()
    const truth = ['--truth', 'truth.json']
    const place = newPlace(await simulate([...WORLD, '--now', NOW, ...truth], world))
    const run = async (args: readonly string[]) => {
      const { code, stderr } = await startUnder(umask, args, place).ended
      expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({
        args,
        code: 0,
        stderr: '',
      })
    }
    const worker = startUnder(umask, ['worker'], place)
    await worker.says('worker ready')
    await run(RUN)
    await run(['init'])
    await run(['query', 'select * from settlements', '--output', 'answer.csv'])
    await run(['query', 'select * from settlements', '--output', 'answer.parquet'])
    await run(['maintain', '--backup', 'copy'])

    const modes = modesIn(place.cwd)
    const paths = modes.map(([path]) => path)
    for (const path of [
      ...['catalog.sqlite', 'hash.key', 'temporal/server.json', 'temporal/temporal.db'].map(
        (name) => join('data', name),
      ),
      ...['copy/catalog.sqlite', 'copy/hash.key', 'answer.csv', 'answer.parquet', 'tieout.yaml'],
    ]) {
      expect(paths).toContain(path)
    }
    expect(paths.some((path) => /^data.parquet.*\.parquet$/.test(path))).toBe(true)
    expect(paths.some((path) => path.endsWith('manifest.json'))).toBe(true)
    const others = modes.filter(([, mode]) => !['600', 'd700'].includes(mode))
    expect(others).toEqual([['tieout.yaml', '644']])
    expect(modesIn(world.cwd)).toEqual([['truth.json', '600']])
    worker.kill('SIGTERM')
    await worker.ended
  },
)
