/**
 * Goal: an approval stays as it was given, and a month is closed only on books that a reviewer could see. Method: a lake
 * written by hand, with a second approval, a month that ends after the pack, a restatement, and an unknown account.
 */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createActOnBooks } from '../../../activities/decide/act-on-books.ts'
import { approvalOf } from '../../../cli/decide/approve.ts'
import { transact } from '../../../lake/connection/transact.ts'
import { closeChecklist } from '../../../queries/close-checklist.ts'
import { provePack } from '../../../queries/prove-pack.ts'
import { checkTrail } from '../../../queries/verify-trail.ts'
import { readApproval, writeApproval } from '../../../reports/pack/approval.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import { BY_DAY, newBooksWorld, preparedBooks, type BooksWorld } from './books-world.ts'

const NIGHT = {
  settlements: '900 | 1001 | 2026-11-19 03:00 | 100.00',
  transactions: '1 | 1001 | 2026-11-18 10:00 | 100.00 | - | 900',
}
const LATE = { transactions: '2 | 1001 | 2026-11-18 11:00 | -10.00 | - | 900' }

async function approve(books: BooksWorld, pack: string, by: string, reason: string): Promise<void> {
  const act = approvalOf(await verifyPack(pack), { preparedBy: 'Ben', reason, yes: true }, by)
  const acted = await createActOnBooks(books.settings, books.shared)(act)
  expect(await writeApproval({ folder: pack }, act, acted)).toBe(true)
}

const published = preparedBooks(async (books) => {
  await books.land(NIGHT)
  return { pack: await books.publish('first') }
})

const blockers = async (books: BooksWorld) =>
  (await closeChecklist(books.settings, '2026-11'))
    .filter(({ isBlocker, name }) => isBlocker && !BY_DAY.includes(name))
    .map(({ name, number }) => `${number} ${name}`)

test('a second approval leaves approval.json as the first reviewer gave it, and a changed word of it is found', async () => {
  const { books, pack } = await published()
  const { lake } = books.settings
  await approve(books, pack, 'Ada', 'reviewed')
  const { sha256 } = await verifyPack(pack)
  const first = await readApproval(pack, sha256)
  expect(first).toMatchObject({ approvedBy: 'Ada', reason: 'reviewed' })
  // Ben prepared the pack.
  for (const by of ['Cleo', 'Ben']) await approve(books, pack, by, 'other words')
  expect(await readApproval(pack, sha256)).toEqual(first)

  const verified = await verifyPack(pack)
  const proved = { acts: 1, approval: { by: 'Ada', preparedBy: 'Ben' } }
  expect(await checkTrail(lake, verified)).toMatchObject(proved)
  for (const [name, value] of [
    ['reason', 'other words'],
    ['preparedBy', 'Cleo'],
    ['approvedBy', 'Cleo'],
    ['approvedAt', '2026-01-01T00:00:00Z'],
  ]) {
    const approval = { ...verified.approval, [String(name)]: value } as typeof first
    const refused = {
      code: 'pack_altered',
      message: `approval.json was changed: its ${name} is not that of act 1 of the audit trail`,
    }
    const changed = { ...verified, approval }
    await expect(checkTrail(lake, changed)).rejects.toMatchObject(refused)
    await expect(provePack(books.settings, changed)).rejects.toMatchObject(refused)
  }
})

test('approval.json with a key twice, or as a link, is no approval', async () => {
  const { books, pack } = await published()
  await approve(books, pack, 'Ada', 'reviewed')
  const file = join(pack, 'approval.json')
  const text = readFileSync(file, 'utf8')
  const altered = (what: string) => ({ code: 'pack_altered', message: `approval.json ${what}` })
  // A reader may take either of the two names.
  writeFileSync(file, text.replace('"approvedBy"', '"approvedBy": "Eve", "approvedBy"'))
  await expect(verifyPack(pack)).rejects.toMatchObject(altered('is not as an approval writes it'))
  rmSync(file)
  writeFileSync(join(books.settings.out, 'elsewhere.json'), text)
  symlinkSync(join(books.settings.out, 'elsewhere.json'), file)
  await expect(verifyPack(pack)).rejects.toMatchObject(altered('is not a file'))
})

test('an approval that the lake does not hold is not replaced by another one', async () => {
  const { books, pack } = await published()
  const act = approvalOf(await verifyPack(pack), { preparedBy: 'Ben', reason: 'reviewed' }, 'Ada')
  const lost = { seq: '7', sha256: 'f'.repeat(64), actor: 'Ada', actedAt: '', wasSo: false }
  await writeApproval({ folder: pack }, act, lost)
  await expect(approve(books, pack, 'Cleo', 'reviewed')).rejects.toMatchObject({
    code: 'trail_broken',
    message: 'approval.json names act 7, which the lake does not hold',
  })
  const verified = await verifyPack(pack)
  expect(verified.approval).toMatchObject({ auditSeq: '7' })
  await expect(provePack(books.settings, verified)).rejects.toMatchObject({ code: 'trail_broken' })
})

test('a pack that knew of an act which the lake lacks is not proved', async () => {
  const { books, pack } = await published()
  const verified = await verifyPack(pack)
  const { manifest } = verified
  expect(await checkTrail(books.settings.lake, verified)).toEqual({ acts: 0, approval: undefined })
  const audit = { seq: '7', sha256: 'f'.repeat(64) }
  const later = { ...manifest, parameters: { ...manifest.parameters, audit } }
  const unapproved = { manifest: later, approval: undefined }
  await expect(provePack(books.settings, unapproved)).rejects.toMatchObject({
    code: 'trail_broken',
    message: 'the pack knows act 7 of another audit trail than the lake holds',
  })
})

test('a pack with another manifest than the lake published is refused, and so are other lines than were exported', async () => {
  const { books, pack } = await published()
  const { lake } = books.settings
  await approve(books, pack, 'Ada', 'reviewed')
  const verified = await verifyPack(pack)
  const rewritten = { ...verified, sha256: 'f'.repeat(64), approval: undefined }
  await expect(checkTrail(lake, rewritten)).rejects.toMatchObject({
    code: 'pack_altered',
    message: 'manifest.json is not the one that run first published',
  })
  await books.shared.connected((open, connection) =>
    transact(open, connection, () =>
      connection.run('update lake.ops.exported_line set amount_cents = amount_cents + 1'),
    ),
  )
  await expect(checkTrail(lake, verified)).rejects.toMatchObject({
    code: 'trail_broken',
    message: 'the lines that act 1 exported are not as they were approved',
  })
})

test('a day that ended after the reading or the time of a pack is in no approved pack', async () => {
  const { books, pack } = await published()
  expect(await blockers(books)).toEqual(['30 day without an approved pack'])
  await approve(books, pack, 'Ada', 'reviewed')
  // The pack was made for the middle of the 30th.
  expect(await blockers(books)).toEqual(['1 day without an approved pack'])
  await books.land({})
  await approve(books, await books.publish('next', { asOf: '2026-12-02T12:00:00Z' }), 'Ada', 'x')
  // Its last reading was on the 30th, too.
  expect(await blockers(books)).toEqual(['1 day without an approved pack'])
})

test('a month whose newest run has other entries than were approved stays open', async () => {
  const { books, pack } = await published()
  await approve(books, pack, 'Ada', 'reviewed')
  await books.land(LATE)
  const restated = await books.publish('restated')
  // A later run of another month does not hide them.
  await books.publish('later', { window: { from: '2026-12-01', to: '2027-01-01' } })
  expect(await blockers(books)).toEqual([
    '1 day without an approved pack',
    '2 entry without approval',
  ])
  await approve(books, restated, 'Ada', 'reviewed')
  expect(await blockers(books)).toEqual(['1 day without an approved pack'])
})

test('the checklist has the newest version of a PENDING settlement', async () => {
  const { books } = await published()
  const pending = async () =>
    (await closeChecklist(books.settings, '2026-11')).filter(({ name }) =>
      name.startsWith('PENDING'),
    )
  expect(await pending()).toEqual([])
  await books.land({ settlements: '902 | 1001 | 2026-11-20 03:00 | 30.00 | PENDING' })
  expect(await pending()).toMatchObject([{ number: 1, amount: '30.00', isBlocker: false }])
  await books.land({ settlements: '902 | 1001 | 2026-11-20 03:00 | 31.00 | PENDING' })
  expect(await pending()).toMatchObject([{ number: 1, amount: '31.00' }])
  await books.land({ settlements: '902 | 1001 | 2026-11-20 03:00 | 31.00' })
  expect(await pending()).toEqual([])
})

test('the checklist has a list that the newest run read without a certificate for one of its terminals', async () => {
  const { books } = await published()
  const read = (seq: number, certificates: Record<string, string>) =>
    books.shared.connected((lake, connection) =>
      transact(lake, connection, async () => {
        for (const [terminal, certificate] of Object.entries(certificates)) {
          await connection.run(
            `insert into lake.ops.sweep by name
             select distinct on (list) * replace ($1 as sweep_id, $2 as run_id, $3::bigint as terminal_id,
               $4 as certificate, $5::bigint + $3::bigint as landing_seq)
             from lake.ops.sweep where list = 'transactions'`,
            [`${seq}-${terminal}`, `night-${seq}`, terminal, certificate, seq],
          )
        }
      }),
    )
  const uncertified = async () => (await blockers(books)).filter((item) => item.includes('sweep'))
  await read(10, { 1: 'BEST_EFFORT', 2: 'CONTIGUOUS' })
  expect(await uncertified()).toEqual(['1 uncertified sweep'])
  await read(20, { 1: 'CONTIGUOUS', 2: 'CONTIGUOUS' })
  expect(await uncertified()).toEqual([])
})

test('an account of which nothing was read has no books, and its months are not closed', async () => {
  const { books } = await published()
  const settings = { ...books.settings, account: 'acmee' }
  const error = {
    code: 'usage',
    message: 'the lake holds no records of the account acmee; it holds those of acme',
  }
  await expect(books.publish('typo', { account: 'acmee' })).rejects.toMatchObject(error)
  const close = createActOnBooks(
    settings,
    books.shared,
  )({
    ...{ account: 'acmee', actor: 'Ada', reason: 'month end', kind: 'close', period: '2026-10' },
    acceptOpen: 'a typing error',
  })
  await expect(close).rejects.toMatchObject(error)
})

test('a lake without records has no books, and names no other account', async () => {
  const empty = newBooksWorld().publish('first', { account: 'acmee' })
  const message = 'the lake holds no records of the account acmee'
  await expect(empty).rejects.toMatchObject({ code: 'usage', message })
})

test('a report on knowledge from before the first record, or from a landing that is not there yet, is refused', async () => {
  const { books } = await published()
  const refused = (knownAt: string, message: string) =>
    expect(books.publish('limited', { knownAt })).rejects.toMatchObject({ code: 'usage', message })
  const empty = 'the lake has no record of the account acme up to --known-at, which is landing 0'
  await refused('0', empty)
  await refused('2026-11-29T00:00:00Z', empty)
  await refused('99', '--known-at 99: the newest landing of the lake is 1')
  await expect(books.publish('limited', { knownAt: '1' })).resolves.toContain('limited')
})

test('a pack is published although its settlement holds a transaction that is dated after the report', async () => {
  const books = newBooksWorld()
  await books.land({
    settlements: '900 | 1001 | 2026-11-19 03:00 | 105.00',
    transactions: `
      1 | 1001 | 2026-11-18 10:00 | 100.00 | - | 900
      2 | 1001 | 2026-11-30 12:05 | 5.00   | - | 900`,
  })
  const pack = await books.publish('ahead')
  const { proved } = await verifyPack(pack)
  expect(proved).toContain('attributions = computed nets')
  expect(readFileSync(join(pack, 'settlements.csv'), 'utf8')).toContain(',105.00,105.00,0.00,')
})
