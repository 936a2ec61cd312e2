/** The state of a deployment that a kill must not change: records, decisions, packs. Times and ids of runs are left out. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LakeSettings } from '../../../domain/settings.ts'
import { checkLake } from '../../../lake/connection/check-lake.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { readTrail } from '../../../lake/decisions/audit-trail.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { rowsOf } from '../../support/temp-lake.ts'

/** The parts of a state by name; two states are equal if all parts are. */
export type State = Record<string, unknown>

const TABLES: Record<string, string> = {
  transactions: 'select transaction_id, content_hash from lake.seen.transaction_version',
  settlements: 'select settlement_id, content_hash from lake.seen.settlement_version',
  terminals: 'select terminal_id, content_hash from lake.seen.terminal_version',
  quarantine: 'select list, count(*) from lake.seen.quarantine group by all',
  absent: 'select list, subject_id from lake.seen.presence',
  decisions: 'select account, actor, action, subject, reason from lake.ops.audit',
  exported: 'select entry_id, account_key, amount_cents, memo from lake.ops.exported_line',
  imported: 'select list, file_sha256, records from lake.ops.imported_file',
  keys: 'select account, key_id from lake.ops.hash_key',
  exceptions: 'select exception_id, code, known_at from lake.ops.exception_seen',
}

/** Reads lake and packs, and checks both. Throws for a damaged lake, a broken audit trail or a pack that is not whole. */
export async function stateOf(lake: LakeSettings, cwd: string): Promise<State> {
  return { ...(await lakeState(lake)), ...(await packState(join(cwd, 'out'))) }
}

/** The part of the lake, after a check of every file and of the audit trail. */
export async function lakeState(settings: LakeSettings): Promise<State> {
  const lake = await openLake(settings, { create: false })
  try {
    const connection = await lake.connect()
    await checkLake(lake, connection)
    await readTrail(connection)
    const state: State = {}
    for (const [name, select] of Object.entries(TABLES)) {
      const rows = await rowsOf(connection, `from (${select}) order by all`)
      state[name] = rows.length > 50 ? `${rows.length} rows ${hashOf(JSON.stringify(rows))}` : rows
    }
    connection.closeSync()
    return state
  } finally {
    lake.close()
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Files of a pack that name its run or a time of the clock. */
const NAMING = /^(summary\.|sweeps\.csv$|accounting\/README)/

/** The part of the packs: the content of each, and of the newest. */
export async function packState(out: string): Promise<State> {
  if (!existsSync(out)) return { packs: [] }
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' })
  const packs = names
    .filter((name) => name.endsWith('manifest.json') && !name.split('/').includes('latest'))
    .map((name) => join(out, dirname(name)))
  const contents = new Map<string, string>()
  for (const pack of packs.filter((folder) => !folder.includes('.partial'))) {
    contents.set(realpathSync(pack), await contentOf(pack))
  }
  const latest = names.find((name) => name.endsWith('/latest'))
  return {
    packs: [...contents.values()].sort(),
    latest: latest === undefined ? undefined : contents.get(realpathSync(join(out, latest))),
    unfinished: names.filter((name) => name.endsWith('.partial')),
  }
}

async function contentOf(pack: string): Promise<string> {
  const { manifest, approval } = await verifyPack(pack)
  const files = manifest.files.filter(({ name }) => !NAMING.test(name))
  return `${hashOf(files.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n'))} ${approval?.approvedBy ?? ''}`
}

/** The names of the parts that differ. */
export const differing = (one: State, other: State): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  )
