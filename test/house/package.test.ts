import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Command } from 'commander'
import { createProgram } from '../../cli/main.ts'
import { EXAMPLES } from '../../cli/shell/examples.ts'
import { openTerminal } from '../../cli/shell/terminal.ts'
import { COMMAND_NAMES, typed } from '../../cli/shell/typed-command.ts'
import { projectFiles, readProject, ROOT } from './project-files.ts'

const Packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })])

const BESIDE = [
  'LICENSE',
  'README.md',
  'package.json',
  'bin/tieout.mjs',
  'dist/workflow-bundle.js',
  'dist/config.schema.json',
]

/** Files that the build makes from packages, or copies. */
const COPIED = /^dist\/(libraries\/(\w+\.js|packages\.json|licenses\/.+)|web\/assets\/[\w.-]+)$/

const wholeProgram = () =>
  createProgram({
    terminal: openTerminal(),
    signal: new AbortController().signal,
    exit: () => {},
  })

/** The paths that are no part of a package as promised. */
const unexpected = (paths: readonly string[]) =>
  paths.filter((path) => {
    if (BESIDE.includes(path) || COPIED.test(path)) return false
    const [, compiled] = /^dist\/([\w/-]+)\.js$/.exec(path) ?? []
    if (compiled !== undefined) {
      return !['ts', 'tsx'].some((end) => existsSync(join(ROOT, `${compiled}.${end}`)))
    }
    return !/^sql\/[\w/]+\.sql$/.test(path)
  })

test('the package holds the built program, its SQL, the licence and the README, and nothing else', () => {
  const list = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const answer = execFileSync('npm', list, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
  const [{ files }] = Packed.parse(JSON.parse(answer))
  const paths = files.map(({ path }) => path)
  expect(unexpected(paths)).toEqual([])
  const models = projectFiles('sql').filter(({ path }) => path.endsWith('.sql'))
  expect(models.length).toBeGreaterThan(100)
  const needed = [
    ...BESIDE,
    'dist/cli/main.js',
    'dist/libraries/echarts.js',
    'dist/web/assets/htmx.min.js',
    ...models.map(({ path }) => path),
  ]
  expect(needed.filter((path) => !paths.includes(path))).toEqual([])
})

test('the check reports sources, tests, pages of SQL, maps and files that no source has any more', () => {
  const bad = [
    'cli/main.ts',
    'test/house/package.test.ts',
    'sql/10_observed/README.md',
    'dist/cli/main.js.map',
    'dist/cli/removed.js',
  ]
  expect(unexpected([...bad, 'sql/macros.sql', 'dist/cli/main.js'])).toEqual(bad)
})

test('installing the package runs no script of its own', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readProject('package.json')))
  const atInstall = ['preinstall', 'install', 'postinstall']
  expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([])
})

test('a command in a text is typed by npx in a checkout, and by its name elsewhere', async () => {
  const text = 'tieout that wrote this lake; tieout run makes one, or tieout --account a explain 1'
  expect(typed(text, false)).toBe(text)
  expect(typed(text, true)).toBe(
    'tieout that wrote this lake; npx --no-install tieout run makes one, or npx --no-install tieout --account a explain 1',
  )
  const program = await wholeProgram()
  expect([...COMMAND_NAMES].sort()).toEqual(program.commands.map((one) => one.name()).sort())
})

test('no page, help or message names npx without --no-install', () => {
  const loose = projectFiles().filter(
    ({ path, text }) => !path.startsWith('test/') && /\bnpx (?:-y )?tieout/.test(text),
  )
  expect(loose.map(({ path }) => path)).toEqual([])
})

/** The words of a line as a shell reads them, without what follows `>`. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ > \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain,
  )

/** The command or group that the words name, and its path. */
function named(program: Command, words: readonly string[]): [Command, string[]] {
  const inner = program.commands.find((one) => one.name() === words[0])
  if (inner === undefined) return [program, []]
  const [command, path] = named(inner, words.slice(1))
  return [command, [inner.name(), ...path]]
}

/** Everything in an example that the command does not take. A group or the program shows examples of its commands. */
function refusedIn(program: Command, line: string, page: string): string[] {
  const [name, ...words] = wordsOf(line)
  const [command, path] = named(program, words)
  if (name !== 'tieout' || command === program) return [line]
  if (!`${path.join(' ')} `.startsWith(page === '' ? '' : `${page} `)) {
    return [`${line} is no example of ${page}`]
  }
  const { operands, unknown } = command.parseOptions(words.slice(path.length))
  const needed = command.registeredArguments.filter(({ required }) => required).length
  const { unknown: left } = program.parseOptions(unknown)
  return [...left, ...(operands.length < needed ? [`${line} lacks an argument`] : [])]
}

test('each page of help has an example, which the command takes', async () => {
  const program = await wholeProgram()
  const pages = (command: Command, path: readonly string[] = []): string[] => [
    path.join(' '),
    ...command.commands.flatMap((one) => pages(one, [...path, one.name()])),
  ]
  const all = pages(program)
  expect(all.length).toBeGreaterThan(45)
  expect(all.filter((page) => EXAMPLES[page] === undefined)).toEqual([])
  expect(Object.keys(EXAMPLES).filter((page) => !all.includes(page))).toEqual([])
  const refused = Object.entries(EXAMPLES).flatMap(([page, lines]) =>
    lines.flatMap((line) => refusedIn(program, line, page)),
  )
  expect(refused).toEqual([])
  expect(refusedIn(program, 'tieout run --form 2026-10-01', 'run')).toEqual([
    '--form',
    '2026-10-01',
  ])
  expect(refusedIn(program, 'tieout approve', 'approve')).toEqual([
    'tieout approve lacks an argument',
  ])
  expect(refusedIn(program, 'tieout config show', 'periods')).toEqual([
    'tieout config show is no example of periods',
  ])
})
