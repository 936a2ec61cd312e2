/**
 * Goal: a restore says which acts it loses, and an interrupted one neither loses a lake nor leaves files. Method: the
 * functions of a restore over lakes with acts, and the folders that a killed process leaves.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { SharedLake } from '../../../activities/runtime/shared-lake.ts'
import { restoredLines } from '../../../cli/schedule/restore.ts'
import type { BooksAct } from '../../../domain/books.ts'
import { readIfExists, readLake } from '../../../lake/connection/read-lake.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { ownName } from '../../../lake/connection/process-mark.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { appendDecision, type AuditAction } from '../../../lake/decisions/audit-trail.ts'
import { backUp } from '../../../lake/maintenance/back-up.ts'
import { restore } from '../../../lake/maintenance/restore.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { decide } from '../../../workers/decide.ts'
import { withEngine } from '../../../workers/engine.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const NOW = new Date('2026-11-27T17:00:00Z')
const LATER = new Date('2026-11-27T18:00:00Z')
const KINDS: AuditAction[] = [
  ...(['pack.approve', 'period.close', 'exception.waive', 'period.reopen'] as const),
  'identity.erase',
]
const LOST = { acts: 5, approvals: 1, closes: 1, decisions: 2, erasures: 1 }

const CLOSE: BooksAct = {
  ...{ account: 'default', actor: 'ann', period: '2026-10', reason: 'r' },
  kind: 'close',
}

/** A lake with an act, a backup of it, and the acts of `since` after the backup. */
async function backedUp(since: readonly AuditAction[] = []) {
  const settings = emptyLakeIn(tempFolder())
  const backup = join(tempFolder(), 'backup')
  const lake = await openLake(settings)
  const connection = await lake.connect()
  const act = (action: AuditAction) =>
    transact(lake, connection, () =>
      appendDecision(connection, {
        ...{ account: 'acme', actor: 'ann', action, subject: 's', reason: 'r', detail: {} },
      }),
    )
  await act('pack.approve')
  await backUp(lake, connection, { folder: backup })
  for (const action of since) await act(action)
  connection.closeSync()
  lake.close()
  return { settings, backup, beside: () => readdirSync(dirname(settings.folder)).toSorted() }
}

test('a restore counts the acts that it loses, by kind, and none on the way back', async () => {
  const { settings, backup } = await backedUp(KINDS)
  const restored = await restore(settings, { backup, now: NOW })
  expect(restored.lost).toEqual(LOST)
  expect(restoredLines(restored).slice(2, -1)).toEqual([
    'warning: the restored lake lacks 5 acts of the earlier one: 1 approval of exported entries, 1 close of periods, 2 other decisions, 1 erasure of cardholders',
    expect.stringContaining('may already be in the ledger'),
    expect.stringContaining('erase the cardholders of lost erasures again'),
  ])
  const back = await restore(settings, { backup: restored.before ?? '', now: LATER })
  expect(back.lost).toEqual({ acts: 0, approvals: 0, closes: 0, decisions: 0, erasures: 0 })
  expect(restoredLines(back)).toContain('the restored lake has all acts of the earlier one')
})

test.each([
  ['has a damaged audit trail', join('parquet', 'ops', 'audit')],
  ['has no catalog any more', 'catalog.sqlite'],
])('an earlier lake that %s is put aside, and its acts count as unknown', async (_what, part) => {
  const { settings, backup } = await backedUp(KINDS)
  rmSync(join(settings.folder, part), { recursive: true })
  const restored = await restore(settings, { backup, now: NOW })
  expect(restored).toMatchObject({
    lost: null,
    before: `${settings.folder}.before-20261127T170000Z`,
  })
  expect(existsSync(join(restored.before ?? '', 'parquet'))).toBe(true)
  expect(restoredLines(restored)).toContainEqual(expect.stringContaining('could not be compared'))
})

test('a restore removes the copy of a process that ended, and not that of a living one', async () => {
  const { settings, backup, beside } = await backedUp()
  const other = `${process.ppid}_unknown`
  for (const owner of ['1_aa', other]) mkdirSync(`${settings.folder}.${owner}.partial`)
  writeFileSync(`${settings.folder}.1_aa.partial/hash.key`, 'k')
  await restore(settings, { backup, now: NOW })
  expect(beside()).toEqual(
    ['lake', `lake.${other}.partial`, 'lake.before-20261127T170000Z'].toSorted(),
  )
  expect(ownName()).toMatch(/^\d+_[a-z0-9]+$/)
})

test('a lake that an interrupted restore has moved aside is named by all, and no new one is made', async () => {
  const { settings, backup, beside } = await backedUp(KINDS)
  const aside = `${settings.folder}.before-20261127T170000Z`
  renameSync(settings.folder, aside)
  writeFileSync(join(aside, 'tieout.yaml'), '')
  // A person's own copy has no instant in its name.
  const copy = `${settings.folder}.before-upgrade`
  cpSync(backup, copy, { recursive: true })
  const accounts = [
    { ...readSettings({}, 'lake', { TIEOUT_TIMEZONE: 'UTC' }), lake: settings },
  ] as const
  const options = { say: () => {}, signal: new AbortController().signal }
  const refused = expect.objectContaining({
    code: 'lake_unreachable',
    message: expect.stringContaining(basename(aside)),
    remedy: expect.stringMatching(/same tieout maintain --restore again, or rename that folder/),
  })
  for (const work of [
    () => openLake(settings),
    () => readLake(settings, () => Promise.resolve()),
    () => readIfExists(settings, () => Promise.resolve()),
    () => decide(options, accounts[0], CLOSE),
    () => withEngine(accounts, { ...options, owner: 'command' }, () => Promise.resolve()),
  ]) {
    await expect(work()).rejects.toEqual(refused)
  }
  const others = [basename(aside), basename(copy)]
  expect(beside()).toEqual(others)

  // Other commands may have made the folder, with a key and no lake. The key stays, since nothing is known of it.
  mkdirSync(join(settings.folder, 'parquet'), { recursive: true })
  writeFileSync(join(settings.folder, 'hash.key'), 'k')
  expect(await restore(settings, { backup, now: LATER })).toMatchObject({
    before: aside,
    lost: LOST,
  })
  expect(existsSync(join(settings.folder, 'tieout.yaml'))).toBe(true)
  expect(beside()).toEqual(['lake', 'lake.before-20261127T180000Z', ...others].toSorted())
})

test('a decision does not make a lake', async () => {
  const folder = join(tempFolder(), 'lake')
  const settings = readSettings({}, 'lake', { TIEOUT_TIMEZONE: 'UTC', TIEOUT_LAKE: folder })
  const options = { say: () => {}, signal: new AbortController().signal }
  await expect(decide(options, settings, CLOSE)).rejects.toMatchObject({
    code: 'lake_unreachable',
    message: `there is no lake in ${folder}`,
  })
  // A worker that has begun without a lake refuses the same.
  const inWorker = createActOnBooks(settings, new SharedLake(settings.lake, () => {}))
  await expect(inWorker(CLOSE)).rejects.toMatchObject({ code: 'lake_unreachable' })
  expect(existsSync(folder)).toBe(false)
})
