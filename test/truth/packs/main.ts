/**
 * `npm run compare:packs`: makes the packs of every world with an earlier version and with the working tree, and compares.
 * `--base REV` names the earlier version; `--write` makes the working tree's hashes the committed reference.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makePacks } from './make-packs.ts'
import type { PackContents } from './pack-contents.ts'
import { PACK_WORLDS } from './worlds.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** The version before the reconciliation was laid out in stages with names. */
const BASE = '1713e1e'

type Packs = Record<string, Record<string, PackContents>>

/** Answers with the exit code: 1 where a file differs. */
export async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { base: { type: 'string', default: BASE }, write: { type: 'boolean' } },
  })
  process.env['TIEOUT_CACHE'] ??= join(ROOT, '.cache')
  execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'ignore' })
  const now = await packsOf(ROOT)
  if (values.write === true) {
    writeFileSync(
      join(import.meta.dirname, 'reference.json'),
      `${JSON.stringify(now, undefined, 2)}\n`,
    )
  }
  const before = await withVersion(values.base, packsOf)
  const differing = differencesOf(before, now)
  for (const line of differing) process.stdout.write(`${line}\n`)
  const files = Object.values(now).flatMap((nights) =>
    Object.values(nights).flatMap((pack) => Object.keys(pack)),
  )
  process.stdout.write(`${files.length} files compared, ${differing.length} differ\n`)
  return differing.length === 0 ? 0 : 1
}

async function packsOf(project: string): Promise<Packs> {
  const packs: Packs = {}
  for (const world of PACK_WORLDS) packs[world.name] = await makePacks(project, world)
  return packs
}

/** Does the work with a checkout of that version, built with the packages that are installed here. */
async function withVersion<T>(revision: string, work: (project: string) => Promise<T>): Promise<T> {
  const folder = join(mkdtempSync(join(tmpdir(), 'tieout-version-')), 'project')
  execFileSync('git', ['worktree', 'add', '--detach', folder, revision], {
    cwd: ROOT,
    stdio: 'ignore',
  })
  try {
    if (!existsSync(join(folder, 'node_modules'))) {
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    }
    execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'ignore' })
    return await work(folder)
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: ROOT })
    rmSync(join(folder, '..'), { recursive: true, force: true })
  }
}

function differencesOf(before: Packs, now: Packs): string[] {
  return PACK_WORLDS.flatMap(({ name, nights }) =>
    nights.flatMap((night) => {
      const [was, is] = [before[name]?.[night] ?? {}, now[name]?.[night] ?? {}]
      return [...new Set([...Object.keys(was), ...Object.keys(is)])]
        .filter((file) => was[file] !== is[file])
        .map((file) => `${name} ${night} ${file}`)
    }),
  )
}
