/**
 * Goal: a person waits for no library that the command does not need. Method: what each entry file imports before it
 * runs anything, directly or through other files.
 */
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { projectFiles } from './project-files.ts'

const sources = new Map(
  ['cli', 'api', 'domain', 'lake', 'queries', 'reports', 'workers', 'web']
    .flatMap((folder) => projectFiles(folder))
    .map(({ path, text }): [string, string] => [path, text]),
)

/** The packages that a file loads with itself. Types and imports in functions load nothing. */
function packagesOf(entry: string, files = sources): string[] {
  const [seen, packages] = [new Set<string>(), new Set<string>()]
  const walk = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    const text = files.get(path) ?? ''
    for (const [, from = ''] of text.matchAll(
      /^(?:import|export) (?!type )(?:[^'();=]*? from )?'([^']+)'/gm,
    )) {
      if (from.startsWith('.')) walk(posix.join(posix.dirname(path), from))
      else if (!from.startsWith('node:')) packages.add(from)
    }
  }
  walk(entry)
  return [...packages].sort()
}

test('a package is found through another file, and not behind a type or a late import', () => {
  const files = new Map([
    ['a/a.ts', "import type { A } from 'types'\nimport {\n  b,\n  c,\n} from '../b/b.ts'\n"],
    ['b/b.ts', "export { x } from 'heavy'\nexport const late = () => import('late')\n"],
  ])
  expect(packagesOf('a/a.ts', files)).toEqual(['heavy'])
})

const COMMANDS = [...sources.keys()].filter((path) => /^cli\/.*-command\.ts$/.test(path))

test('the help loads commander and no other package', () => {
  expect(COMMANDS.length).toBeGreaterThan(20)
  for (const path of ['cli/main.ts', ...COMMANDS]) {
    expect(packagesOf(path).filter((name) => name !== 'commander')).toEqual([])
  }
})

const LOOKUP = ['@duckdb/node-api', 'yaml', 'zod']

test('a lookup in the lake loads the engine and the config, and no library of Temporal or HTTP', () => {
  for (const path of [
    'cli/status/status.ts',
    'cli/inspect/explain.ts',
    'cli/decide/exceptions/list.ts',
  ]) {
    expect(packagesOf(path).filter((name) => name !== 'commander')).toEqual(LOOKUP)
  }
})
