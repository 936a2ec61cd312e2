/** Goal: a terminal's later settings rewrite no earlier finding. Method: versions of terminals between landings of transactions. */
import { expect, test } from 'vitest'
import { found, modelOn, subjects } from './seen-lake.ts'

const TERMINALS =
  'terminal_id | nick_name | type | surcharge_enabled | surcharge_percentage | acceptance | sweep_id | ordinal | observed_at | landing_seq'
const CHARGES =
  'transaction_id | terminal_id | action | status | approved | settled | created | total_cents | surcharge_cents | vault_type | ach_type | sweep_id | ordinal | observed_at | landing_seq'

/** Lines of terminals: id, settings, landing. Clocks go back, so that only landing numbers are in order. */
const terminals = (lines: string) =>
  [
    TERMINALS,
    ...lines
      .trim()
      .split('\n')
      .map((line, i) => {
        const cells = line.split('|')
        return [
          cells[0],
          'n',
          ...cells.slice(1, 5),
          't',
          i,
          `2026-11-${20 - i}`,
          ...cells.slice(5),
        ].join('|')
      }),
  ].join('\n')

/** Lines of charges: id, terminal, total, surcharge, vault type, ACH code, landing. */
const charges = (lines: string) =>
  [
    CHARGES,
    ...lines
      .trim()
      .split('\n')
      .map((line, i) => {
        const [id, terminal, total, surcharge, vault, code, landing] = line.split('|')
        return `${id}|${terminal}|CHARGE|CAPTURE|true|true|2026-11-02 10:00|${total}|${surcharge}|${vault}|${code}|c|${i}|2026-11-03|${landing}`
      }),
  ].join('\n')

const world = (terminal: string, charge: string) => ({
  'seen.terminal_version': terminals(terminal),
  'seen.transaction_version': charges(charge),
})

test('a surcharge is judged by what its terminal enabled at the first landing of the charge, not by what it enables later', async () => {
  const judged = world(
    `7 | CARD | false | | | 2
     7 | CARD | true  | | | 4
     7 | CARD | false | | | 6`,
    `1 | 7 | 3090 | 90 | CARD | | 1
     2 | 7 | 3090 | 90 | CARD | | 3
     3 | 7 | 3090 | 90 | CARD | | 4
     4 | 7 | 3090 | 90 | CARD | | 5
     5 | 7 | 3090 | 90 | CARD | | 6
     6 | 7 | 3090 | 91 | CARD | | 5
     6 | 7 | 3090 | 90 | CARD | | 7`,
  )
  expect(subjects(await found('surcharge_not_enabled', judged))).toEqual(['1', '2', '5'])
  // A run up to an earlier landing does not know the later versions.
  expect(subjects(await found('surcharge_not_enabled', judged, 5n))).toEqual(['1', '2'])
  expect(subjects(await found('surcharge_not_enabled', judged, 3n))).toEqual(['1', '2'])
})

test('a rate that is cut later makes no earlier surcharge too high', async () => {
  const judged = world(
    `7 | CARD | true | 3 | | 2
     7 | CARD | true | 2 | | 4`,
    `1 | 7 | 10300 | 300 | CARD | | 3
     2 | 7 | 10300 | 300 | CARD | | 5`,
  )
  expect(await found('surcharge_over_rate', judged)).toMatchObject([
    { subject_id: '2', detail: 'surcharge of 3.00, 2.0000 percent allow 2.01' },
  ])
})

test('a terminal’s type and the ACH codes that it accepts are those at the first landing of the transaction', async () => {
  const judged = world(
    `7 | ACH  | | | PPD | 2
     7 | CARD | | |     | 4
     8 | ACH  | | | PPD | 2
     8 | ACH  | | | WEB | 4`,
    `1 | 7 | 1000 | | ACH | PPD | 3
     2 | 7 | 1000 | | ACH | PPD | 5
     3 | 8 | 1000 | | ACH | PPD | 3
     4 | 8 | 1000 | | ACH | PPD | 5
     5 | 7 | 1000 | | ACH | WEB | 3`,
  )
  expect(subjects(await found('terminal_type_mismatch', judged))).toEqual(['2'])
  expect(await found('ach_code_not_accepted', judged)).toMatchObject([
    { subject_id: '4', detail: 'code PPD, accepted are WEB' },
    { subject_id: '5', detail: 'code WEB, accepted are PPD' },
  ])
})

test('a transaction that moved to another terminal is judged by that terminal, as of its own first landing', async () => {
  const judged = world(
    `7 | CARD | true  | | | 2
     8 | CARD | false | | | 2
     8 | CARD | true  | | | 4`,
    `1 | 7 | 3090 | 90 | CARD | | 3
     1 | 8 | 3090 | 90 | CARD | | 5`,
  )
  expect(subjects(await found('surcharge_not_enabled', judged))).toEqual(['1'])
})

test('first landings are looked up for charges with a surcharge on a terminal that changed its surcharge, and no others', async () => {
  const rows = await modelOn(
    'first_landing',
    world(
      `7 | CARD | false | | | 2
       7 | CARD | true  | | | 4
       8 | CARD | false | | | 2
       9 | CARD | true  | | | 2
       9 | CARD | true  | | | 4`,
      `1 | 7 | 3090 | 90 | CARD | | 3
       1 | 7 | 3091 | 91 | CARD | | 5
       2 | 7 | 3000 |    | CARD | | 3
       3 | 8 | 3090 | 90 | CARD | | 3
       4 | 9 | 3090 | 90 | CARD | | 3`,
    ),
  )
  expect(rows).toEqual([{ transaction_id: '1', landing_seq: '3' }])
})
