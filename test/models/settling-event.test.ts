/**
 * Goal: observations place transactions only by an event that they prove. Method: candidates of one terminal as tables,
 * two transactions for each settlement.
 */
import { expect, test } from 'vitest'
import { run } from '../support/models.ts'

const NETS = `settlement_id bigint | reported_cents bigint
  1 | 3000
  2 | 3000
  3 | 3000`

type Candidate = [event: 'created' | 'completed', transaction: number, settlement: number]

/** Transactions are of 10.00 and of 20.00 by turns. */
function tablesOf(candidates: readonly Candidate[], observed: number) {
  const rows = candidates.map(([event, transaction, settlement]) => {
    const settlements = candidates.filter((other) => other[0] === event && other[1] === transaction)
    const cents = transaction % 2 === 0 ? 2000 : 1000
    return `${event} | ${transaction} | ${settlement} | ${settlements.length} | ${cents} | 7`
  })
  return {
    known_settlement: NETS,
    flag_observation: `transaction_id bigint\n${Array.from({ length: observed }, (_, place) => place + 1).join('\n')}`,
    event_candidate: `event varchar | transaction_id bigint | settlement_id bigint | settlements bigint | signed_cents bigint | terminal_id bigint
      ${rows.join('\n')}`,
  }
}

async function learned(candidates: readonly Candidate[], observed: number): Promise<string> {
  const rows = await run('settling_event', tablesOf(candidates, observed))
  return rows
    .filter((row) => row['is_learned'] === 'true')
    .map((row) => row['event'])
    .sort()
    .join(' ')
}

/** Two transactions in each of so many settlements. */
const full = (event: Candidate[0], settlements: number): Candidate[] =>
  Array.from({ length: settlements }, (_, place): Candidate[] => [
    [event, 2 * place + 1, place + 1],
    [event, 2 * place + 2, place + 1],
  ]).flat()

test('a lead of a single settlement leaves both events possible, and a lead of two excludes one', async () => {
  const elsewhere: Candidate[] = [
    ['completed', 1, 2],
    ['completed', 2, 3],
  ]
  expect(await learned([...full('created', 1), ...elsewhere], 2)).toBe('completed created')
  const farther: Candidate[] = [...elsewhere, ['completed', 3, 1], ['completed', 4, 3]]
  expect(await learned([...full('created', 2), ...farther], 4)).toBe('created')
})

test('a transaction without a possible settlement excludes an event, whatever nets are full', async () => {
  const found = [...full('created', 1), ...full('completed', 1), ['completed', 3, 2] as Candidate]
  expect(await learned(found, 3)).toBe('completed')
})

test('no event is possible if neither gives a settlement its full net', async () => {
  expect(
    await learned(
      [
        ['created', 1, 1],
        ['completed', 1, 2],
      ],
      1,
    ),
  ).toBe('')
})

test('a single event is chosen if both allow the same', async () => {
  expect(await learned([...full('created', 2), ...full('completed', 2)], 4)).toBe('created')
})

test('a transaction may be in the settlements that either event allows', async () => {
  const candidates: Candidate[] = [...full('created', 1), ['completed', 1, 1], ['completed', 2, 2]]
  const rows = await run(['settling_event', 'observed_candidate'], tablesOf(candidates, 2))
  const found = rows.map(
    (row) => `${row['transaction_id']} in ${row['settlement_id']} of ${row['settlements']}`,
  )
  expect(found.sort()).toEqual(['1 in 1 of 1', '2 in 1 of 2', '2 in 2 of 2'])
})
