import { expect, test } from 'vitest'
import {
  type LakeRecords,
  type LakeTransaction,
  reconcileRecords,
  type Verdict,
  verdictsOf,
} from './bulk-lake.ts'

const DAYS = 8

interface Change {
  /** Cents by which a day's net differs from that of its own evening to evening. */
  nets?: Record<number, number>
  more?: readonly [created: string, cents: number][]
}

/** Eight days of one terminal that cuts off at 21:00 for a settlement at 00:30 of the next day. */
function history(terminal: number, { nets = {}, more = [] }: Change): LakeRecords {
  const day = (i: number) => String(i + 1).padStart(2, '0')
  const own = (i: number): [string, number][] => [
    [`2026-11-${day(i)} 09:15:00`, 2000 + i * 110],
    [`2026-11-${day(i)} 15:40:00`, 1001 + i * 107],
    [`2026-11-${day(i)} 22:10:00`, 1703 + i * 101],
  ]
  const net = (i: number) =>
    3001 + i * 217 + (i === 0 ? 0 : 1703 + (i - 1) * 101) + (nets[i + 1] ?? 0)
  const items = [...Array.from({ length: DAYS }, (_, i) => own(i)).flat(), ...more]
  return {
    settlements: Array.from({ length: DAYS }, (_, i) => ({
      settlement_id: terminal * 100 + i + 1,
      terminal_id: terminal,
      created: `2026-11-${day(i + 1)} 00:30:00`,
      net_cents: net(i),
    })),
    transactions: items.map(([created, signed_cents], i): LakeTransaction => ({
      transaction_id: terminal * 1000 + i + 1,
      terminal_id: terminal,
      created,
      signed_cents,
    })),
  }
}

/** Each change on a terminal of its own; the answer is what is said of its days. */
async function daysOf(changes: readonly Change[]): Promise<Verdict[][]> {
  const all = changes.map((change, i) => history(i + 1, change))
  const verdicts = await verdictsOf(
    await reconcileRecords({
      settlements: all.flatMap(({ settlements }) => settlements),
      transactions: all.flatMap(({ transactions }) => transactions),
    }),
  )
  return all.map(({ settlements }) =>
    settlements.flatMap(({ settlement_id }) => verdicts.get(settlement_id) ?? []),
  )
}

const ambiguous = (days: readonly Verdict[]) =>
  days.flatMap(({ certificate }, i) => (certificate === 'AMBIGUOUS' ? [i + 1] : []))

test('a settlement is AMBIGUOUS exactly if another choice of transactions gives the same nets', async () => {
  const late = (cents: number, day = 3): Change => ({
    nets: { [day]: cents },
    more: [['2026-11-02 13:00:00', cents]],
  })
  const [quiet, near, far, lone, twin, longer] = (
    await daysOf([
      {},
      // The last charge in is of 15:40: what counts nothing could be on either side within two hours.
      { more: [['2026-11-04 14:00:00', 0]] },
      { more: [['2026-11-04 13:00:00', 0]] },
      late(9000),
      // 3.06 and the 18.04 of that evening are the 21.10 of the morning: another cut and another charge.
      late(306),
      late(700, 5),
    ])
  ).map((days) => ({ days, ambiguous: ambiguous(days) }))
  expect(quiet?.ambiguous).toEqual([])
  expect(near?.ambiguous).toEqual([4, 5])
  expect(far?.ambiguous).toEqual([])
  expect(lone?.days[1]).toMatchObject({ explanation: 'CUTOFF_SHIFT', certificate: 'UNIQUE' })
  expect(lone?.ambiguous).toEqual([])
  expect(twin?.days[1]).toMatchObject({ explanation: 'CUTOFF_SHIFT', rivals: 1 })
  expect(twin?.ambiguous).toEqual([2, 3])
  expect(longer?.ambiguous).toEqual([])
})
