import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { listExceptions } from '../../../queries/list-exceptions.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { newBooksWorld } from './books-world.ts'

/** Each test makes several packs. */
vi.setConfig({ testTimeout: 400_000 })

const NIGHT = {
  settlements: '902 | 1001 | 2026-11-21 03:00 | 200.00',
  transactions: '6 | 1001 | 2026-11-20 10:00 | 210.00 | - | 902',
}
const DECEMBER = { window: { from: '2026-12-01', to: '2027-01-01' }, asOf: '2026-12-02T12:00:00Z' }

/** The memo of an entry of the journal. */
function memoOf(pack: string, entryId: string): string | undefined {
  const lines = readFileSync(join(pack, 'accounting/journal.csv'), 'utf8').trimEnd().split('\r\n')
  const line = lines.find((one) => one.startsWith(`${entryId},`))
  return /"(.*)"/.exec(line ?? '')?.[1]
}

/** `RES-902 2026-12-01: 4090 10.00, 1190 -10.00` */
function entries(pack: string): string[] {
  const found = new Map<string, string[]>()
  const lines = readFileSync(join(pack, 'accounting/journal.csv'), 'utf8').trimEnd().split('\r\n')
  for (const [id, date, , account, , debit, credit] of lines
    .slice(1)
    .map((one) => one.split(','))) {
    const head = `${id} ${date}`
    found.set(head, [...(found.get(head) ?? []), `${account} ${debit || `-${credit}`}`])
  }
  return [...found].map(([head, moved]) => `${head}: ${moved.join(', ')}`)
}

test('the worked example: a variance is cleared to a named account in the open period, once, and withdrawn by the reverse entry', async () => {
  const books = newBooksWorld()
  await books.land(NIGHT)
  await books.publish('first')
  const [mismatch] = await listExceptions(books.settings, {})
  const act = createActOnBooks(books.settings, books.shared)
  const by = { account: 'acme', actor: 'Ada', reason: 'the operator confirmed the refund' }
  const clear = (to: string, date: string) =>
    act({
      ...{ ...by, kind: 'exception.resolve', exceptionId: mismatch?.exceptionId ?? '' },
      clear: { to, date },
    })
  await act({ ...by, kind: 'close', period: '2026-11', acceptOpen: 'a break is left' })
  await expect(clear('refunds', '2026-11-30')).rejects.toMatchObject({ code: 'period_closed' })
  for (const kept of ['clearing', '1110', 'suspense']) {
    await expect(clear(kept, '2026-12-01')).rejects.toMatchObject({ code: 'usage' })
  }
  // An account must be in the chart; the nearest one is suggested.
  await expect(clear('refund', '2026-12-01')).rejects.toMatchObject({
    ...{ code: 'usage', remedy: 'did you mean refunds?' },
  })
  await expect(clear('refunds', '2026-11-20')).rejects.toMatchObject({
    code: 'usage',
    message: "the settlement 902 is of 2026-11-21, so its variance can't be cleared on 2026-11-20",
  })
  await clear('4090', '2026-12-01')
  const december = await books.publish('december', DECEMBER)
  expect(entries(december)).toContain('RES-902 2026-12-01: 1190 -10.00, 4090 10.00')
  const because = 'the operator confirmed the refund'
  expect(memoOf(december, 'RES-902')).toBe(
    `Variance of settlement 902, cleared to refunds: ${because} (Ada, act 2)`,
  )
  const { manifest, sha256 } = await verifyPack(december)
  await act({
    ...{ ...by, kind: 'approve', actor: 'Ben', preparedBy: 'Ada', runId: manifest.runId },
    manifestSha256: sha256,
  })
  await act({ ...by, kind: 'exception.reopen', exceptionId: mismatch?.exceptionId ?? '' })
  const undone = await books.publish('undone', DECEMBER)
  expect(entries(undone)).toContain('ADJ-RES-902-1 2026-12-01: 1190 10.00, 4090 -10.00')
  expect(memoOf(undone, 'ADJ-RES-902-1')).toBe(
    `Adjusts RES-902 of 2026-12-01, reopened: ${because} (Ada, act 4)`,
  )
  await clear('tips', '2026-12-02')
  const again = await books.publish('again', DECEMBER)
  expect(entries(again)).toContain('ADJ-RES-902-1 2026-12-02: 4090 -10.00, 2110 10.00')
  expect(memoOf(again, 'ADJ-RES-902-1')).toMatch(/^Adjusts RES-902 of 2026-12-01, /)
  expect((await provePack(books.settings, await verifyPack(december))).differing).toEqual([])
})
