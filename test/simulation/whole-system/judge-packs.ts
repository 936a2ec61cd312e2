/** The published packs: each is whole, none ever changes, `latest` names one, and nothing half-made lies beside them. */
import { createHash } from 'node:crypto'
import { join, relative } from 'node:path'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { judgeJournal } from './judge-verdicts.ts'
import { real } from './faults.ts'

/** The packs published so far: by its path, a hash over all files of each. */
export class Packs {
  readonly #out: string
  readonly #known = new Map<string, string>()

  constructor(out: string) {
    this.#out = out
  }

  /** Checks all packs; `acknowledged` are those whose publication was confirmed. */
  async judge(acknowledged: ReadonlySet<string>): Promise<string[]> {
    const wrong: string[] = []
    const found = new Map(foldersIn(this.#out).map((folder) => [folder, hashOf(folder)]))
    for (const [folder, hash] of this.#known) {
      const now = found.get(folder)
      if (now !== hash) wrong.push(`pack ${folder} ${now === undefined ? 'is gone' : 'changed'}`)
    }
    for (const [folder, hash] of found) {
      if (this.#known.has(folder)) continue
      this.#known.set(folder, hash)
      wrong.push(...(await verified(folder)), ...judgeJournal(folder))
    }
    const runs = [...found.keys()].map((folder) => folder.split('/').at(-1))
    if (new Set(runs).size < runs.length) wrong.push(`a run has two packs: ${runs.join(' ')}`)
    wrong.push(
      ...[...acknowledged]
        .filter((pack) => !found.has(pack))
        .map((pack) => `pack ${pack} is missing`),
    )
    return [...wrong, ...this.#judgeLatest(found)]
  }

  #judgeLatest(found: ReadonlyMap<string, string>): string[] {
    const links = namesIn(this.#out).map((account) => join(this.#out, account, 'latest'))
    return links
      .filter((link) => real.lstatSync(link, { throwIfNoEntry: false }) !== undefined)
      .filter((link) => !real.existsSync(link) || !found.has(real.realpathSync(link)))
      .map((link) => `${link} names no pack`)
  }
}

async function verified(folder: string): Promise<string[]> {
  try {
    await verifyPack(folder)
    return []
  } catch (error) {
    return [`pack ${folder} does not verify: ${String(error)}`]
  }
}

const namesIn = (folder: string): string[] =>
  real.existsSync(folder) ? real.readdirSync(folder) : []

/** OUT/account/range/run, without hidden names and without `latest`. */
function foldersIn(out: string): string[] {
  let folders = [out]
  for (let depth = 0; depth < 3; depth += 1) {
    folders = folders.flatMap((folder) =>
      namesIn(folder)
        .filter((name) => !name.startsWith('.') && name !== 'latest')
        .map((name) => join(folder, name)),
    )
  }
  return folders.sort()
}

function filesIn(folder: string): string[] {
  const entries = real.readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function hashOf(folder: string): string {
  const hash = createHash('sha256')
  for (const file of filesIn(folder)) {
    hash.update(relative(folder, file)).update(real.readFileSync(file))
  }
  return hash.digest('hex')
}

/** Makes the leftovers of killed processes two days old, so that the next work may remove them. */
export function ageLeftovers(folder: string): void {
  const then = real.now() / 1000 - 2 * 86_400
  for (const path of leftoversIn(folder)) real.lutimesSync(path, then, then)
}

const LEFTOVER = /\.partial$|\.marked$|^scratch_|\.duckdb(\.wal)?$|^\.latest\./

/** Half-made folders and files, below the folder of the installation. */
export function leftoversIn(folder: string): string[] {
  const entries = real.readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(({ name }) => LEFTOVER.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
}
