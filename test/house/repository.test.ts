import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SECONDS } from '../support/longest-first.ts'
import { type ProjectFile, projectFiles, readProject } from './project-files.ts'

const files = projectFiles()
const readable = files.filter(
  ({ path }) =>
    /\.(ts|mjs|sql|md|ya?ml|json|sh)$|^\.ci\/|Dockerfile/.test(path) &&
    path !== 'package-lock.json',
)

const MEBIBYTE = 1_048_576
/** Words are built from parts, so that this file does not accuse itself. */
const built = (...words: string[][]): string[] => words.map((parts) => parts.join(''))
const MARKERS = built(
  ['to', 'do'],
  ['fix', 'me'],
  ['x', 'xx'],
  ['ha', 'ck'],
  ['not ', 'implemented'],
  ['place', 'holder'],
)
const NARROWED = built(['.on', 'ly('], ['.sk', 'ip('])
const UNCHECKED = built(['@ts-', 'ignore'], ['@ts-', 'nocheck'])
const MACHINES = built(['/wo', 'rk/'], ['/ro', 'ot/'], ['/fa', 'rm/'], ['../sha', 'red'])

function matches(candidates: readonly ProjectFile[], pattern: RegExp): string[] {
  return candidates.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  )
}

const escaped = (words: readonly string[]) =>
  words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join('|')
const leftover = new RegExp(String.raw`\b(${escaped(MARKERS)})\b`, 'i')
const switchedOff = new RegExp(
  String.raw`\b(?:it|test|describe)(?:${escaped(NARROWED)})|${escaped(UNCHECKED)}`,
)
// A path of a machine stands alone: a folder of that name inside of a longer path is none.
const machine = new RegExp(String.raw`(?<![\w.-])(${escaped(MACHINES)})`)

/** Paths that are over the limit. */
const tooLarge = (candidates: readonly ProjectFile[]) =>
  candidates.filter(({ bytes }) => bytes > MEBIBYTE).map(({ path }) => path)

/** Paths that are not in lower case with hyphens. */
const badlyNamed = (candidates: readonly string[]) =>
  candidates.filter((path) => !/^([a-z0-9.-]+\/)*[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(path))

const fileOf = (text: string, path = 'domain/x.ts'): ProjectFile => ({
  path,
  bytes: text.length,
  text,
})

describe('no file has a marker of unfinished work', () => {
  test('the project follows the rule', () => {
    expect(readable.length).toBeGreaterThan(50)
    expect(matches(readable, leftover)).toEqual([])
  })

  test('the check reports each marker in any case, and accepts words that only contain one', () => {
    for (const word of MARKERS) {
      expect(matches([fileOf(`// ${word.toUpperCase()}: later`)], leftover)).toHaveLength(1)
    }
    expect(matches([fileOf('// mastodon, hackney')], leftover)).toEqual([])
  })
})

describe('no test and no type check is switched off', () => {
  const sources = readable.filter(({ path }) => /\.(ts|mjs)$/.test(path))

  test('the project follows the rule', () => {
    expect(matches(sources, switchedOff)).toEqual([])
  })

  test('the check reports each way to switch one off', () => {
    for (const word of [...NARROWED, ...UNCHECKED]) {
      const line = word.startsWith('@') ? `// ${word}` : `test${word}'x', () => {})`
      expect(matches([fileOf(line)], switchedOff)).toHaveLength(1)
    }
  })
})

describe('no file names a path of the machine that it was written on', () => {
  test('the project follows the rule', () => {
    expect(matches(readable, machine)).toEqual([])
  })

  test('the check reports each such path', () => {
    for (const word of MACHINES) {
      expect(matches([fileOf(`const path = '${word}main'`)], machine)).toHaveLength(1)
    }
    expect(matches([fileOf(`'a${MACHINES[0] ?? ''}b'`)], machine)).toEqual([])
  })
})

describe('no file is over 1 MiB', () => {
  test('the project follows the rule', () => {
    expect(tooLarge(files)).toEqual([])
  })

  test('the check reports a larger file', () => {
    expect(tooLarge([{ path: 'big', bytes: MEBIBYTE + 1, text: '' }, fileOf('')])).toEqual(['big'])
  })
})

describe('every dependency is pinned to one version', () => {
  interface Manifest {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
  const loose = ({ dependencies = {}, devDependencies = {} }: Manifest) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name]) => name)

  test('in package.json', () => {
    const manifest: Manifest = JSON.parse(readProject('package.json'))
    expect(Object.keys(manifest.dependencies ?? {}).length).toBeGreaterThan(5)
    expect(loose(manifest)).toEqual([])
  })

  test('the check reports a range, a tag and an address', () => {
    const versions = {
      a: '^1.0.0',
      b: 'latest',
      c: 'https://example.com/c.tgz',
      d: '1.5.5-r.5',
      e: '1.x',
    }
    expect(loose({ dependencies: versions })).toEqual(['a', 'b', 'c', 'e'])
  })

  test('the lockfile has hashes, and no host of the download', () => {
    const lock: { packages: Record<string, { integrity?: string; optional?: boolean }> } =
      JSON.parse(readProject('package-lock.json'))
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
    // Builds for other platforms may be named without their hash.
    const unhashed = packages.filter(([, { integrity, optional }]) => !optional && !integrity)
    expect(packages.length).toBeGreaterThan(50)
    expect(unhashed.map(([path]) => path)).toEqual([])
    expect(readProject('package-lock.json')).not.toContain('"resolved"')
  })
})

test('TypeScript files and folders are named in lower case with hyphens', () => {
  expect(
    badlyNamed(files.filter(({ path }) => /\.(ts|mjs)$/.test(path)).map(({ path }) => path)),
  ).toEqual([])
  expect(badlyNamed(['api/Foo.ts', 'api/foo_bar.ts', 'api/foo-bar.test.ts'])).toEqual([
    'api/Foo.ts',
    'api/foo_bar.ts',
  ])
})

test('only the workflows and the activities have an index', () => {
  const indexes = files
    .filter(({ path }) => /(^|\/)index\.(ts|mjs)$/.test(path))
    .map(({ path }) => path)
  expect(indexes.filter((path) => !/^(workflows|activities)\/index\.ts$/.test(path))).toEqual([])
})

test('the test files that begin first exist', () => {
  const paths = files.map(({ path }) => path)
  expect(Object.keys(SECONDS).filter((path) => !paths.includes(path))).toEqual([])
})

test('the page of tests names each long file', () => {
  const page = readProject('test/README.md')
  const long = files.map(({ path }) => path).filter((path) => path.endsWith('.long.test.ts'))
  expect(long.filter((path) => !page.includes(path.replace('test/', '`')))).toEqual([])
})

test('the vendored script of the console is the one whose hash the decision names', () => {
  const hash = createHash('sha256').update(readProject('web/assets/htmx.min.js')).digest('hex')
  expect(readProject('docs/decisions/0053-a-console-of-pages.md')).toContain(hash)
})
