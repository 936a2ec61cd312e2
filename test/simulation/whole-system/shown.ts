/** The records of the service, from the simulator's world alone: how each looked at an instant, field by field. */
import { MALFORMED } from '../../../simulator/world/draft.ts'
import {
  isSettledAt,
  lastModifiedAt,
  type Moment,
  reportedAt,
  settlementStatusAt,
  statusAt,
  transactionId,
} from '../../../simulator/world/moment.ts'
import { at, itemAt } from '../../../simulator/world/random.ts'
import { instantText } from '../../../simulator/world/time.ts'

export type ListName = 'settlements' | 'terminals' | 'transactions'

/** The fields of each record that the service shows, by its id; a record that can't be read has none. */
export type Shown = ReadonlyMap<string, string | undefined>

const ACTIONS = ['CHARGE', 'REFUND', 'VERIFY']

/** The records of a list at an instant, each as one line. */
export const SHOWN: Readonly<Record<ListName, (moment: Moment) => Shown>> = {
  terminals: ({ world }) =>
    new Map(world.terminals.map(({ id, type, enabled }) => [id, `${type} ${enabled}`])),

  settlements: (moment) => {
    const { world, now } = moment
    const shown = new Map<string, string | undefined>()
    for (const [place, settlement] of world.settlements.entries()) {
      if (settlement.created > now) break
      const { id } = itemAt(world.terminals, settlement.terminal)
      const line = [
        ...[id, instantText(settlement.created), settlementStatusAt(moment, place)],
        reportedAt(moment, place),
      ].join(' ')
      shown.set(settlement.id, settlement.malformed === undefined ? line : undefined)
    }
    return shown
  },

  transactions: (moment) => {
    const { tx, terminals } = moment.world
    const shown = new Map<string, string | undefined>()
    for (let row = 0; row < tx.count && at(tx.created, row) <= moment.now; row += 1) {
      const line = [
        itemAt(terminals, at(tx.terminal, row)).id,
        itemAt(ACTIONS, at(tx.action, row)),
        ...[statusAt(moment, row), at(tx.approved, row) === 1, isSettledAt(moment, row)],
        ...[instantText(at(tx.created, row)), instantText(lastModifiedAt(moment, row))],
        ...[tx.base, tx.tax, tx.shipping, tx.tip, tx.surcharge, tx.total].map((part) =>
          at(part, row),
        ),
      ].join(' ')
      const isReadable = at(tx.malformed, row) === MALFORMED.no
      shown.set(transactionId(moment.world, row), isReadable ? line : undefined)
    }
    return shown
  },
}

const instant = (column: string) => `strftime(${column}, '%Y-%m-%dT%H:%M:%SZ')`
const cents = (column: string) => `coalesce(${column}, 0)`

/** The versions of a list in the lake, in the order of their landing: `id` and `line`, as above. */
export const LANDED: Readonly<Record<ListName, string>> = {
  terminals: `select terminal_id::varchar as id, concat_ws(' ', type, enabled) as line
    from lake.seen.terminal_version order by landing_seq, ordinal`,
  settlements: `select settlement_id::varchar as id,
      concat_ws(' ', terminal_id, ${instant('created')}, status, net_cents) as line
    from lake.seen.settlement_version order by landing_seq, ordinal`,
  transactions: `select transaction_id::varchar as id,
      concat_ws(' ', terminal_id, action, status, approved, settled, ${instant('created')}, ${instant('last_modified')},
        ${['base_cents', 'tax_cents', 'shipping_cents', 'tip_cents', 'surcharge_cents'].map(cents).join(', ')}, total_cents) as line
    from lake.seen.transaction_version order by landing_seq, ordinal`,
}
