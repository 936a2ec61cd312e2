/** Broken variants of the audit trail, closed periods and exports. */
import type { Mutant } from './mutant.ts'

const TRAIL = 'lake/decisions/audit-trail.ts'
const BOOKS = 'lake/decisions/periods-and-exports.ts'
const REFUSED = 'a trail is refused after'

const ofTrail = (mutant: Omit<Mutant, 'file' | 'module'>): Mutant => ({
  ...mutant,
  module: TRAIL,
  file: 'unit/lake/audit',
})
const ofBooks = (mutant: Omit<Mutant, 'file' | 'module'>): Mutant => ({
  ...mutant,
  module: BOOKS,
  file: 'unit/lake/periods',
})

export const AUDIT: readonly Mutant[] = [
  ...[
    {
      from: 'order by audit.seq`',
      to: 'order by seq`',
      title: 'the audit trail is read in the order of its numbers, with ten acts and more',
    },
    {
      from: "detail['orderId'] === orderId",
      to: "detail['orderId'] !== undefined",
      title: 'an order that is repeated is found by its id, and by no other',
    },
    {
      from: '!follows || entry.sha256 !== hashOf(entry)',
      to: '!follows',
      title: `${REFUSED} a change of any fact of an act`,
    },
    {
      from: 'subject, reason, detail]',
      to: 'subject, detail]',
      title: `${REFUSED} a change of any fact of an act`,
    },
    {
      from: ' && entry.previousSha256 === head.sha256',
      to: '',
      title: `${REFUSED} a change with a new hash of the same act`,
    },
    {
      from: 'entry.seq === head.seq + 1n &&',
      to: 'entry.seq > head.seq &&',
      title: `${REFUSED} a number that is skipped`,
    },
    {
      from: 'await refuseShortened(connection, trail)',
      to: '',
      title: `${REFUSED} the loss of its last act, if a run knew it`,
    },
    {
      from: ' && known.sha256 === sha256) continue',
      to: ') continue',
      title: `${REFUSED} the exchange of its last act, if a run knew it`,
    },
  ].map(ofTrail),
  {
    module: TRAIL,
    from: "await raiseFenceOf(connection, 'audit_fence')",
    to: '',
    file: 'unit/lake/shared-acts',
    title: 'two acts at the same moment get two numbers, one after the other, on a shared lake',
  },
  ...[
    { module: 'lake/results/publications.ts', from: "await raiseFenceOf(connection, 'run_fence')" },
    {
      module: 'lake/decisions/backfill-log.ts',
      from: "await raiseFenceOf(connection, 'run_fence')",
    },
  ].map((mutant) => ({
    ...mutant,
    to: '',
    file: 'unit/lake/shared-acts',
    title:
      'two attempts at one publication or one event of a backfill leave one row on a shared lake',
  })),
  {
    module: 'lake/results/publications.ts',
    from: 'published[0] === manifestSha256',
    to: 'published.length > 0',
    file: 'system/books/approval',
    title: 'a manifest that names another preparer, with the hash made to fit, is not approved',
  },
  ...[
    {
      from: 'states.set(period,',
      to: 'if (!states.has(period)) states.set(period,',
      title:
        'a period has the state of its last act, and only periods of the account are listed, in order',
    },
    {
      from: 'entry.action === action && ',
      to: '',
      title: 'the approval of a run is the act of that run and account',
    },
    {
      from: 'twice !== null',
      to: 'twice === account',
      title: 'a pack is refused after another pack has exported one of its entries',
    },
    {
      from: 'lake.ops.exported_line where account = $2)',
      to: 'lake.ops.exported_line where $2 is not null)',
      title: 'an export of another account refuses no pack',
    },
    {
      from: "where account = $2 and action = 'pack.approve'",
      to: "where account = $2 and action = 'pack.refuse'",
      title: 'a pack is refused after another pack has exported a gathered entry of the same id',
    },
    {
      from: ' and currency <> $1',
      to: ' and $1 is null',
      title: 'an account keeps the currency of its approved packs',
    },
    {
      from: 'closed.has(String(period))',
      to: 'closed.has(String(period)) && periods.currentRowCount === 1',
      title: 'a pack is refused after one of its periods was closed',
    },
    {
      from: 'ledger_account, amount_cents::varchar]',
      to: 'ledger_account]',
      title: 'exported lines keep the hash of the pack, and another cent is another hash',
    },
  ].map(ofBooks),
]
