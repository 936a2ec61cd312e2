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

describe('nothing is unfinished by its own word', () => {
  test('in the whole project', () => {
    expect(readable.length).toBeGreaterThan(50)
    expect(matches(readable, leftover)).toEqual([])
  })

  test('each marker is seen, in any case, and words that only contain one are not', () => {
    for (const word of MARKERS) {
      expect(matches([fileOf(`// ${word.toUpperCase()}: later`)], leftover)).toHaveLength(1)
    }
    expect(matches([fileOf('// mastodon, hackney')], leftover)).toEqual([])
  })
})

describe('no test is switched off and no type check', () => {
  const sources = readable.filter(({ path }) => /\.(ts|mjs)$/.test(path))

  test('in the whole project', () => {
    expect(matches(sources, switchedOff)).toEqual([])
  })

  test('each way of doing so is seen', () => {
    for (const word of [...NARROWED, ...UNCHECKED]) {
      const line = word.startsWith('@') ? `// ${word}` : `test${word}'x', () => {})`
      expect(matches([fileOf(line)], switchedOff)).toHaveLength(1)
    }
  })
})

describe('no file names a place of the machine that it was written on', () => {
  test('in the whole project', () => {
    expect(matches(readable, machine)).toEqual([])
  })

  test('each is seen', () => {
    for (const word of MACHINES) {
      expect(matches([fileOf(`const path = '${word}main'`)], machine)).toHaveLength(1)
    }
    expect(matches([fileOf(`'a${MACHINES[0] ?? ''}b'`)], machine)).toEqual([])
  })
})

describe('no file is over 1 MiB', () => {
  test('in the whole project', () => {
    expect(tooLarge(files)).toEqual([])
  })

  test('one that is, is seen', () => {
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

  test('a range, a tag and an address are seen', () => {
    const versions = {
      a: '^1.0.0',
      b: 'latest',
      c: 'https://example.com/c.tgz',
      d: '1.5.5-r.5',
      e: '1.x',
    }
    expect(loose({ dependencies: versions })).toEqual(['a', 'b', 'c', 'e'])
  })

  test('the lockfile holds hashes and no host that they came from', () => {
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

test('the test files that begin first are there', () => {
  const paths = files.map(({ path }) => path)
  expect(Object.keys(SECONDS).filter((path) => !paths.includes(path))).toEqual([])
})
