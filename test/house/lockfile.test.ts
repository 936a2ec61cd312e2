import { expect, test } from 'vitest'
import { z } from 'zod'
import { readProject } from './project-files.ts'

const Lock = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
})

/** The packages without a hash. The first entry of a lockfile is the project itself. */
const withoutHash = (text: string): string[] =>
  Object.entries(Lock.parse(JSON.parse(text)).packages)
    .filter(([path, { integrity }]) => path !== '' && integrity?.startsWith('sha512-') !== true)
    .map(([path]) => path)

test('every package of the lockfile has a hash, so that npm installs no other content', () => {
  expect(withoutHash(readProject('package-lock.json'))).toEqual([])
  const bad = {
    packages: { '': {}, 'node_modules/a': {}, 'node_modules/b': { integrity: 'md5-1' } },
  }
  expect(withoutHash(JSON.stringify(bad))).toEqual(['node_modules/a', 'node_modules/b'])
})

test('the page of what waits for the end of Node 20 names the versions that are here', () => {
  const page = readProject('docs/decisions/0065-what-waits-for-the-end-of-node-20.md')
  const { dependencies, devDependencies } = z
    .object({
      dependencies: z.record(z.string(), z.string()),
      devDependencies: z.record(z.string(), z.string()),
    })
    .parse(JSON.parse(readProject('package.json')))
  const here: Record<string, string> = { ...dependencies, ...devDependencies }
  const rows = [...page.matchAll(/^\| (\w+)[^|]* \| ([\d.]+) \| ([\d.]+) \|/gm)]
  expect(rows.map(([, name = '', version]) => [name, version])).toEqual(
    ['undici', 'commander', 'vitest'].map((name) => [name, here[name]]),
  )
  expect(page).toContain(`stays at ${here['@duckdb/node-api']},`)
})
