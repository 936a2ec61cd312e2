/**
 * Goal: the package works for a user who has nothing of the project. Method: it is packed and installed as the README
 * says, into an empty prefix. Its commands run with a home of their own. Another user, who may not write the prefix,
 * runs them as well. So do other versions of Node.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readProject, ROOT } from '../../house/project-files.ts'
import { newPlace } from '../../support/built.ts'
import {
  AS_ANOTHER_USER,
  needs,
  nodeProgram,
  requireProgram,
} from '../../support/outside-program.ts'
import { surroundings } from '../../support/surroundings.ts'

const MOST_KIB = 370 * 1024

const { cwd } = newPlace()
const [packed, installed, work, home] = ['packed', 'installed', 'work', 'home'].map((name) =>
  join(cwd, name),
) as [string, string, string, string]
const cache = join(home, '.cache', 'tieout')
const bin = join(installed, 'bin', 'tieout')
const own = join(installed, 'lib', 'node_modules', 'tieout')
const globally = ['--global', '--prefix', installed]

/** Runs npm as an administrator does, whose files others may read but not write. */
const npm = (args: readonly string[], folder: string) =>
  execFileSync('sh', ['-c', 'umask 022 && exec npm "$@"', 'npm', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  })

/** The sources of this moment: packing builds dist/ anew, which other tests read at the same time. */
function copyOfSources(): string {
  const sources = join(cwd, 'sources')
  const others = new Set(['.git', '.cache', 'node_modules', 'dist', 'test', 'docs', 'data', 'out'])
  cpSync(ROOT, sources, {
    recursive: true,
    filter: (path) => !others.has(relative(ROOT, path)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'))
  return sources
}

/** Runs a command of the installed package, without a variable of tieout; `by` are the words before its bin. */
function tieout(
  args: readonly string[],
  env: Record<string, string> = {},
  { by = [], cwd: place = work }: { by?: readonly string[]; cwd?: string } = {},
) {
  const { TIEOUT_CACHE: _cache, XDG_CACHE_HOME: _xdg, ...others } = surroundings()
  const options = { cwd: place, encoding: 'utf8' as const, env: { ...others, HOME: home, ...env } }
  const [program = '', ...words] = [...by, bin, ...args]
  const { status, stdout, stderr } = spawnSync(program, words, options)
  return { code: status, stdout, stderr }
}

beforeAll(() => {
  chmodSync(cwd, 0o755)
  for (const folder of [packed, installed, work, home]) mkdirSync(folder)
  npm(['pack', '--silent', '--pack-destination', packed], copyOfSources())
  const [tarball = ''] = readdirSync(packed)
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--silent']
  npm(['install', ...globally, ...quick, join(packed, tarball)], installed)
  // The downloads of this machine, as an earlier command would have left them in the cache.
  mkdirSync(cache, { recursive: true })
  for (const [name, folder] of downloads()) symlinkSync(folder, join(cache, name))
})

/** Lists downloads of earlier commands on this machine: the name in a cache, and the folder. */
function downloads(): [string, string][] {
  const ready = process.env['TIEOUT_CACHE'] ?? join(ROOT, '.cache')
  return ['temporal', 'duckdb-extensions']
    .map((name): [string, string] => [name, join(ready, name)])
    .filter(([, folder]) => existsSync(folder))
}

const { version }: { version: string } = JSON.parse(readProject('package.json'))
const VERSION = { code: 0, stdout: `${version}\n`, stderr: '' }

test('the version of the package is printed', () => {
  expect(tieout(['--version'])).toEqual(VERSION)
})

test('nothing that only developers need is installed, and the whole stays below its limit', () => {
  const all = npm(['ls', ...globally, '--all', '--parseable'], installed)
  for (const name of ['typescript', 'echarts', 'apache-arrow', 'vitest', 'esbuild']) {
    expect(all).not.toMatch(new RegExp(`node_modules/${name}$`, 'm'))
  }
  const [size = ''] = execFileSync('du', ['-sk', installed], { encoding: 'utf8' }).split('\t')
  expect(Number(size)).toBeLessThan(MOST_KIB)
  expect(readdirSync(own).sort()).toEqual(
    ['LICENSE', 'README.md', 'bin', 'dist', 'node_modules', 'package.json', 'sql'].sort(),
  )
})

test('doctor finds Temporal and the extensions in the cache of the user', () => {
  const { stdout, stderr } = tieout(['doctor'])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ok +temporal +embedded server/m)
  expect(stdout).toMatch(/^ok +lake +sqlite:/m)
  expect(existsSync(join(cache, 'temporal'))).toBe(true)
  expect(existsSync(join(own, '.cache'))).toBe(false)
})

/** The one who runs the demo: another user, who may not write the program, if this machine can act as one. */
const isAnother = needs('another user')
const theirs = join(cwd, 'theirs')
const theirEnv = { HOME: theirs, TIEOUT_CACHE: join(theirs, 'cache') }
const them = { by: isAnother ? AS_ANOTHER_USER : [], cwd: theirs }

beforeAll(() => {
  mkdirSync(theirEnv.TIEOUT_CACHE, { recursive: true })
  for (const [name, folder] of downloads()) {
    cpSync(folder, join(theirEnv.TIEOUT_CACHE, name), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
    })
  }
  if (isAnother) execFileSync('chown', ['-R', '65534:65534', theirs])
})

test('the demo makes its pack for a user with a cache of their own, and names its next commands as an installed program', () => {
  expect(tieout(['--version'], theirEnv, them)).toEqual(VERSION)
  expect(tieout(['doctor'], theirEnv, them).stdout).toMatch(
    /^ok +temporal +embedded server, \S+theirs\/cache/m,
  )
  const { code, stdout, stderr } = tieout(['demo', '--transactions', '300'], theirEnv, them)
  expect(code, stderr).toBe(0)
  expect(existsSync(join(theirs, 'out', 'demo', 'demo', 'latest', 'summary.html'))).toBe(true)
  expect(stdout).toMatch(/^ {2}tieout --config data\/demo\/tieout\.yaml explain /m)
  expect(`${stdout}${stderr}`).not.toContain('npx')
  const sql = 'select 1 as n from settlements'
  const query = ['query', '--format', 'arrow', '--output', 'n.arrow', sql]
  expect(tieout(['--config', 'data/demo/tieout.yaml', ...query], theirEnv, them).code).toBe(0)
})

test('another user may not write the installed program, and doctor names a cache that is closed to them', (context) => {
  requireProgram(context, 'another user')
  const [setpriv, ...rights] = AS_ANOTHER_USER
  const writable = spawnSync(setpriv, [...rights, 'find', installed, '-writable'], {
    encoding: 'utf8',
  })
  expect(writable).toMatchObject({ status: 0, stdout: '', stderr: '' })
  const closed = join(cwd, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const env = { ...theirEnv, TIEOUT_CACHE: join(closed, 'cache'), PATH: pathWithoutTemporal() }
  expect(tieout(['doctor'], env, them).stdout).toMatch(
    /^FAIL +temporal +error config_invalid: the cache \S+ can't be written: .*\(EACCES\); next: set TIEOUT_CACHE/m,
  )
})

test.for(['20.19', '22', '24', '26'] as const)(
  'the program starts on Node %s and finds its native parts',
  (version, context) => {
    requireProgram(context, `node-${version}`)
    const by = [nodeProgram(version)]
    expect(tieout(['--version'], {}, { by }).code).toBe(0)
    const { stdout } = tieout(['doctor'], {}, { by })
    expect(stdout).toMatch(new RegExp(`^ok +node +Node ${version.replace('.', '\\.')}\\.`, 'm'))
    expect(stdout).toMatch(/^ok +temporal +embedded server/m)
    expect(stdout).toMatch(/^ok +lake +sqlite:/m)
  },
)

test.for([
  ['oldest', '20.19'],
  ['newest', '26'],
] as const)('the %s Node makes a pack from the lake of the demo', ([, version], context) => {
  requireProgram(context, `node-${version}`)
  const reconcile = ['--config', 'data/demo/tieout.yaml', 'reconcile', '--json']
  const by = [...them.by, nodeProgram(version)]
  const { code, stdout, stderr } = tieout(reconcile, theirEnv, { ...them, by })
  expect(code, stderr).toBe(0)
  const { pack }: { pack: string } = JSON.parse(stdout)
  expect(existsSync(join(resolve(theirs, pack), 'summary.html'))).toBe(true)
})

test('a cache that can not be written is named, with the variable that helps', () => {
  const file = join(work, 'a-file')
  execFileSync('touch', [file])
  const env = { TIEOUT_CACHE: join(file, 'cache'), PATH: pathWithoutTemporal() }
  const { stdout } = tieout(['doctor'], env)
  expect(stdout).toMatch(
    /^FAIL +temporal +error config_invalid: the cache \S+ can't be written: a part of the path is not a folder \(ENOTDIR\); next: set TIEOUT_CACHE/m,
  )
})

/** The path with Node alone, so that no installed Temporal is found. */
function pathWithoutTemporal(): string {
  const folder = join(cwd, 'node-alone')
  if (!existsSync(folder)) {
    mkdirSync(folder)
    symlinkSync(process.execPath, join(folder, 'node'))
  }
  return `${folder}:/usr/bin:/bin`
}
