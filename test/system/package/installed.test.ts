/**
 * Goal: the package works for a user who has nothing of the project. Method: it is packed, installed into an empty
 * folder, and its commands run there, with a home of their own.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readProject, ROOT } from '../../house/project-files.ts'
import { newPlace } from '../../support/built.ts'
import { surroundings } from '../../support/surroundings.ts'

const MOST_KIB = 370 * 1024

const { cwd } = newPlace()
const [packed, installed, work, home] = ['packed', 'installed', 'work', 'home'].map((name) =>
  join(cwd, name),
) as [string, string, string, string]
const cache = join(home, '.cache', 'tieout')
const bin = join(installed, 'node_modules', '.bin', 'tieout')
const own = join(installed, 'node_modules', 'tieout')

const npm = (args: readonly string[], folder: string) =>
  execFileSync('npm', [...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

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

/** Runs a command of the installed package, by its bin and without a variable of tieout. */
function tieout(args: readonly string[], env: Record<string, string> = {}) {
  const { TIEOUT_CACHE: _cache, XDG_CACHE_HOME: _xdg, ...others } = surroundings()
  const options = { cwd: work, encoding: 'utf8' as const, env: { ...others, HOME: home, ...env } }
  const { status, stdout, stderr } = spawnSync(bin, [...args], options)
  return { code: status, stdout, stderr }
}

beforeAll(() => {
  for (const folder of [packed, installed, work, home]) mkdirSync(folder)
  npm(['pack', '--silent', '--pack-destination', packed], copyOfSources())
  const [tarball = ''] = readdirSync(packed)
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--silent']
  npm(['install', '--omit=dev', ...quick, join(packed, tarball)], installed)
  // The downloads of this machine, as an earlier command would have left them in the cache.
  const ready = process.env['TIEOUT_CACHE'] ?? join(ROOT, '.cache')
  if (existsSync(join(ready, 'temporal'))) {
    mkdirSync(cache, { recursive: true })
    for (const name of ['temporal', 'duckdb-extensions']) {
      if (existsSync(join(ready, name))) symlinkSync(join(ready, name), join(cache, name))
    }
  }
})

test('the version of the package is printed', () => {
  const { version }: { version: string } = JSON.parse(readProject('package.json'))
  expect(tieout(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('nothing that only developers need is installed, and the whole stays below its limit', () => {
  const all = npm(['ls', '--all', '--parseable'], installed)
  for (const name of ['typescript', 'echarts', 'apache-arrow', 'vitest', 'esbuild']) {
    expect(all).not.toMatch(new RegExp(`node_modules/${name}$`, 'm'))
  }
  const [size = ''] = execFileSync('du', ['-sk', installed], { encoding: 'utf8' }).split('\t')
  expect(Number(size)).toBeLessThan(MOST_KIB)
  expect(readdirSync(own).sort()).toEqual(
    ['LICENSE', 'README.md', 'bin', 'dist', 'package.json', 'sql'].sort(),
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

test('the demo makes its pack, and names its next commands as an installed program', () => {
  const { code, stdout, stderr } = tieout(['demo', '--transactions', '3000'])
  expect(code, stderr).toBe(0)
  expect(existsSync(join(work, 'out', 'demo', 'demo', 'latest', 'summary.html'))).toBe(true)
  expect(stdout).toMatch(/^ {2}tieout --config data\/demo\/tieout\.yaml explain /m)
  expect(`${stdout}${stderr}`).not.toContain('npx')
  const sql = [
    'query',
    '--format',
    'arrow',
    '--output',
    'n.arrow',
    'select 1 as n from settlements',
  ]
  expect(tieout(['--config', 'data/demo/tieout.yaml', ...sql]).code).toBe(0)
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
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  chmodSync(folder, 0o700)
  return `${folder}:/usr/bin:/bin`
}
