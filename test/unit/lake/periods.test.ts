/**
 * Goal: no entry is exported twice, and none reaches a closed period. Method: acts, runs and the lines of their packs,
 * written by hand.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { beforeEach, expect, test } from 'vitest'
import { appendDecision, readTrail, type Decision } from '../../../lake/decisions/audit-trail.ts'
import {
  approvalIn,
  exportFacts,
  exportLines,
  periodsIn,
  refuseOtherCurrency,
  refuseOutdated,
} from '../../../lake/decisions/periods-and-exports.ts'
import { tempLake } from '../../support/temp-lake.ts'

let connection: DuckDBConnection
beforeEach(async () => {
  ;({ connection } = await tempLake())
})

const act = (action: Decision['action'], subject: string, account = 'acme') =>
  appendDecision(connection, {
    ...{ account, action, subject, actor: 'Ada', reason: `${action} ${subject}`, detail: {} },
  })

/** The lines of a run's pack: entry, date and cents. */
async function pack(runId: string, lines: readonly [string, string, number][]): Promise<void> {
  await connection.run(
    `insert into lake.ops.run (run_id, account, as_of, known_at) values ($1, 'acme', timestamp '2026-11-30', 7)`,
    [runId],
  )
  for (const [entry, date, cents] of lines) {
    await connection.run(
      `insert into lake.result.export (run_id, entry_id, origin_id, entry_date, account_key, ledger_account, amount_cents)
       values ($1, $2, $2, $3::date, 'clearing', '1100', $4)`,
      [runId, entry, date, BigInt(cents)],
    )
  }
}

test('a period has the state of its last act, and only periods of the account are listed, in order', async () => {
  await act('period.close', '2026-11')
  await act('period.close', '2026-10')
  await act('period.close', '2026-12')
  await act('period.close', '2026-09', 'other')
  await act('pack.approve', 'r1')
  await act('period.reopen', '2026-10')
  expect(periodsIn(await readTrail(connection), 'acme')).toMatchObject([
    { period: '2026-10', state: 'open', by: 'Ada', reason: 'period.reopen 2026-10' },
    { period: '2026-11', state: 'closed', by: 'Ada', reason: 'period.close 2026-11' },
    { period: '2026-12', state: 'closed' },
  ])
})

test('the approval of a run is the act of that run and account', async () => {
  await act('pack.approve', 'r1', 'other')
  await act('exception.resolve', 'r1')
  await act('pack.approve', 'r2')
  const trail = await readTrail(connection)
  expect(approvalIn(trail, { account: 'acme', runId: 'r2' })?.seq).toBe(3n)
  expect(approvalIn(trail, { account: 'acme', runId: 'r1' })).toBeUndefined()
})

test('a pack is refused after another pack has exported one of its entries', async () => {
  await pack('r1', [['e1', '2026-11-02', 100]])
  await pack('r2', [
    ['e1', '2026-11-02', 100],
    ['e2', '2026-11-03', 200],
  ])
  await refuseOutdated(connection, { account: 'acme', runId: 'r2' }, new Set())
  await exportLines(connection, { account: 'acme', runId: 'r1' }, 1n)
  await expect(
    refuseOutdated(connection, { account: 'acme', runId: 'r2' }, new Set()),
  ).rejects.toMatchObject({
    code: 'approval_refused',
    message: 'another pack with the entry e1 was approved after this pack was made',
  })
})

test('a pack is refused after another pack has exported a gathered entry of the same id', async () => {
  const gather = (runId: string, entryId: string) =>
    connection.run(`insert into lake.result.gathered (run_id, "entryId") values ($1, $2)`, [
      runId,
      entryId,
    ])
  await pack('r1', [['e1', '2026-11-02', 100]])
  await pack('r2', [['e2', '2026-11-03', 200]])
  await pack('r3', [['e3', '2026-11-04', 300]])
  await gather('r1', 'M-202611-charges')
  await gather('r2', 'M-202611-charges')
  await gather('r3', 'M-202611-charges-2')
  await act('pack.approve', 'r1', 'other')
  await refuseOutdated(connection, { account: 'acme', runId: 'r2' }, new Set())
  await act('pack.approve', 'r1')
  await expect(
    refuseOutdated(connection, { account: 'acme', runId: 'r2' }, new Set()),
  ).rejects.toMatchObject({
    code: 'approval_refused',
    message: 'another pack with the entry M-202611-charges was approved after this pack was made',
  })
  await refuseOutdated(connection, { account: 'acme', runId: 'r3' }, new Set())
})

test('an account keeps the currency of its approved packs', async () => {
  const runIn = (account: string, currency: string) =>
    refuseOtherCurrency(connection, { account, currency })
  await connection.run(`insert into lake.result.journal (run_id, currency) values ('r1', 'USD')`)
  await runIn('acme', 'EUR')
  await act('pack.approve', 'r1')
  await runIn('acme', 'USD')
  await runIn('other', 'EUR')
  await expect(runIn('acme', 'EUR')).rejects.toMatchObject({
    code: 'config_invalid',
    message: 'the currency of acme is EUR, and its approved packs are in USD',
  })
})

test('an export of another account refuses no pack', async () => {
  await pack('r1', [['e1', '2026-11-02', 100]])
  await exportLines(connection, { account: 'other', runId: 'r1' }, 1n)
  await expect(
    refuseOutdated(connection, { account: 'acme', runId: 'r1' }, new Set()),
  ).resolves.toBeUndefined()
})

test('a pack is refused after one of its periods was closed', async () => {
  await pack('r1', [
    ['e1', '2026-10-31', 100],
    ['e2', '2026-11-01', 200],
  ])
  const about = { account: 'acme', runId: 'r1' }
  await refuseOutdated(connection, about, new Set(['2026-09', '2026-12']))
  await expect(refuseOutdated(connection, about, new Set(['2026-11']))).rejects.toMatchObject({
    code: 'period_closed',
    message: 'the pack posts into 2026-11, which was closed after it was made',
  })
})

test('exported lines keep the hash of the pack, and another cent is another hash', async () => {
  await pack('r1', [
    ['e1', '2026-11-02', 100],
    ['e1', '2026-11-02', -100],
    ['e2', '2026-11-03', 200],
  ])
  await pack('r2', [
    ['e1', '2026-11-02', 100],
    ['e1', '2026-11-02', -100],
    ['e2', '2026-11-03', 201],
  ])
  const facts = await exportFacts(connection, { runId: 'r1' })
  expect(facts).toEqual({ entries: 2, linesSha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  await exportLines(connection, { account: 'acme', runId: 'r1' }, 1n)
  expect(await exportFacts(connection, { seq: 1n })).toEqual(facts)
  expect((await exportFacts(connection, { runId: 'r2' })).linesSha256).not.toBe(facts.linesSha256)
  expect(await exportFacts(connection, { seq: 2n })).toEqual({ entries: 0, linesSha256: '' })
})
