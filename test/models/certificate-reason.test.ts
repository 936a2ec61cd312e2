/**
 * Goal: each case of R-09 gives its own reason, with the settlement and the transactions that it is about. Method: one
 * small terminal for each case.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CERTIFICATE_REASONS } from '../../domain/certificate-reasons.ts'
import { readModels } from '../../lake/run/models.ts'
import { run, type Tables } from '../support/models.ts'

const NET =
  'settlement_id bigint | terminal_id bigint | created timestamp | verdict varchar | method varchar | transaction_count bigint | charge_cents bigint | refund_cents bigint | difference_cents bigint'

/** `id | verdict before explanations | method | terminal | transactions`, completed to a row of computed_net. A BREAK is off by 30. */
const nets = (lines: string) =>
  [
    NET,
    ...lines
      .trim()
      .split('\n')
      .map((line) => {
        const [id, verdict, method, terminal = '7', transactions = '60'] = line
          .split('|')
          .map((cell) => cell.trim())
        const difference = verdict === 'BREAK' ? 30 : 0
        return `${id} | ${terminal} | 2026-11-01 | ${verdict} | ${method} | ${transactions} | 500 | 5 | ${difference}`
      }),
  ].join('\n')

/** `id | code | blamed |`, completed to a row of explanation. */
const explained = (lines: string, mayFitByChance = false) =>
  [
    'settlement_id bigint | code varchar | blamed varchar | candidates varchar | may_fit_by_chance boolean',
    ...lines.split('\n').flatMap((line) => (line === '' ? [] : [`${line} | ${mayFitByChance}`])),
  ].join('\n')
const rivals = (
  lines: string,
) => `settlement_id bigint | reason varchar | rival_count bigint | transaction_ids varchar
  ${lines}`
const shifts = (
  lines: string,
) => `from_settlement_id bigint | to_settlement_id bigint | transaction_id bigint | options bigint
  ${lines}`

const members = (
  lines: string,
) => `settlement_id bigint | transaction_id bigint | signed_cents bigint
  ${lines}`

/** Returns `settlement reason other transactions` of each reason. */
async function reasons(tables: Tables): Promise<string[]> {
  const rows = await run('certificate_reason', {
    explanation: explained(''),
    rival: rivals(''),
    difference_rival: 'settlement_id bigint | reason varchar',
    shift: shifts(''),
    settlement_open_to_arithmetic: 'settlement_id bigint',
    interchangeable_member: 'settlement_id bigint | transaction_id bigint',
    manual_member: 'settlement_id bigint | transaction_id bigint',
    attribution: members(''),
    ...tables,
  })
  const columns = ['settlement_id', 'reason', 'other_id', 'transaction_ids']
  return rows.map((row) => columns.map((column) => row[column] ?? '-').join(' ')).sort()
}

/** Rivals of each kind, for settlement 901. */
const EACH_KIND = `
  901 | OTHER_BEGINNING | 1 |
  901 | OTHER_END | 2 |
  901 | OTHER_CUTOFFS | 1 |
  901 | LAST_SETTLEMENT | 5 |
  901 | SWAP | 1 |
  901 | OTHER_SHIFT | 1 |
  901 | CONTRADICTED_BY_OBSERVATION | 2 | 4;5`

test('a settlement that ties names each kind of rival, with its neighbours, its moved transactions and its contradicted members', async () => {
  const beside = `
    900 | TIED | WINDOW
    901 | TIED | WINDOW
    902 | TIED | WINDOW`
  const own = [
    '901 CONTRADICTED_BY_OBSERVATION - 4;5',
    '901 OTHER_BEGINNING 900 -',
    '901 OTHER_CUTOFFS - -',
    '901 OTHER_END 902 -',
    '901 SWAP - -',
  ]
  expect(await reasons({ computed_net: nets(beside), rival: rivals(EACH_KIND) })).toEqual(
    [...own, '901 OTHER_SHIFT - -'].sort(),
  )
  const moved = shifts('901 | 900 | 8 | 1\n 902 | 901 | 9 | 1')
  expect(
    await reasons({ computed_net: nets(beside), rival: rivals(EACH_KIND), shift: moved }),
  ).toEqual([...own, '901 OTHER_SHIFT - 8;9'].sort())
})

test('rivals that give an explained settlement another explanation are reasons, and any rival if all its members explain it', async () => {
  const world = (code: string) => ({
    computed_net: nets(`
      900 | TIED  | WINDOW
      901 | BREAK | WINDOW`),
    explanation: explained(`901 | ${code} | 1 |`),
    rival: rivals(EACH_KIND),
  })
  const another = [
    '901 CONTRADICTED_BY_OBSERVATION - 4;5',
    '901 LAST_SETTLEMENT - -',
    '901 OTHER_BEGINNING 900 -',
    '901 OTHER_END - -',
  ]
  expect(await reasons(world('EXTRA_TRANSACTION'))).toEqual(another)
  expect(await reasons(world('COMPONENT_EXCLUDED'))).toEqual(
    [...another, '901 OTHER_CUTOFFS - -', '901 OTHER_SHIFT - -', '901 SWAP - -'].sort(),
  )
})

test('observations that place all members leave no reason', async () => {
  const observed = { computed_net: nets('901 | TIED | OBSERVED'), rival: rivals(EACH_KIND) }
  expect(await reasons(observed)).toEqual([])
  const open = { settlement_open_to_arithmetic: 'settlement_id bigint\n 901' }
  expect(await reasons({ ...observed, ...open })).toHaveLength(6)
})

test('an explanation names its transactions that could be swapped', async () => {
  expect(
    await reasons({
      computed_net: nets('901 | BREAK | WINDOW'),
      explanation: explained('901 | COMBINATION | 5;6;7 |'),
      interchangeable_member: `settlement_id bigint | transaction_id bigint
        901 | 7
        901 | 5
        901 | 8
        902 | 6`,
    }),
  ).toEqual(['901 SWAP - 5;7'])
})

test('an explained settlement names the BREAK before it and the one after it', async () => {
  expect(
    await reasons({
      computed_net: nets(`
        900 | BREAK | WINDOW
        901 | BREAK | WINDOW
        902 | BREAK | WINDOW`),
      explanation: explained('901 | EXTRA_TRANSACTION | 5 |'),
    }),
  ).toEqual(['901 BESIDE_BREAK 900 -', '901 BESIDE_BREAK 902 -'])
})

test('a settlement that ties between a BREAK and a shift names the BREAK, and the transactions with the amount of its difference', async () => {
  const world = (lines: string) => ({
    computed_net: nets(`
      900 | BREAK | ALIGNED
      901 | TIED  | ALIGNED
      902 | TIED  | ALIGNED
      903 | TIED  | ALIGNED`),
    shift: shifts('902 | 903 | 9 | 1'),
    attribution: members(lines),
  })
  const shift = ['902 SHIFT_BESIDE_BREAK 900 9', '903 SHIFT_BESIDE_BREAK 900 9']
  expect(await reasons(world('901 | 5 | 30'))).toEqual(['901 BESIDE_BREAK 900 5', ...shift])
  const both = '902 | 7 | -30\n 901 | 6 | 30'
  expect(await reasons(world(both))).toEqual(['901 BESIDE_BREAK 900 6;7', ...shift])
  const explanation = explained('900 | EXTRA_TRANSACTION | 6 |')
  expect(await reasons({ ...world('901 | 5 | 30'), explanation })).toEqual([
    '901 BESIDE_BREAK 900 5',
    ...shift,
  ])
  expect(await reasons(world('901 | 5 | 29\n 900 | 6 | 30\n 903 | 7 | 30'))).toEqual([])
  const away = shifts('903 | 904 | 9 | 1')
  expect(await reasons({ ...world('901 | 5 | 30'), shift: away })).toEqual([])
  const withEmpty = nets(`
    900 | BREAK | ALIGNED
    901 | TIED  | ALIGNED
    902 | TIED  | ALIGNED | 7 | 0
    903 | TIED  | ALIGNED
    904 | TIED  | ALIGNED`)
  expect(await reasons({ ...world('901 | 5 | 30'), computed_net: withEmpty, shift: away })).toEqual(
    ['901 BESIDE_BREAK 900 5', '903 SHIFT_BESIDE_BREAK 900 9', '904 SHIFT_BESIDE_BREAK 900 9'],
  )
})

test('both settlements of a shift name its transactions and the BREAK beside one of them', async () => {
  expect(
    await reasons({
      computed_net: nets(`
        900 | TIED  | ALIGNED
        901 | TIED  | ALIGNED
        902 | BREAK | ALIGNED
        903 | TIED  | ALIGNED
        904 | TIED  | ALIGNED`),
      shift: shifts('900 | 901 | 9 | 1\n 900 | 901 | 8 | 1'),
    }),
  ).toEqual(['900 SHIFT_BESIDE_BREAK 902 8;9', '901 SHIFT_BESIDE_BREAK 902 8;9'])
})

test('a settlement without transactions between a shift and a BREAK confirms no cut-off', async () => {
  const world = (transactions: number) => ({
    computed_net: nets(`
      900 | BREAK | ALIGNED
      901 | TIED  | ALIGNED | 7 | ${transactions}
      902 | TIED  | ALIGNED
      903 | TIED  | ALIGNED`),
    shift: shifts('902 | 903 | 9 | 1'),
  })
  expect(await reasons(world(0))).toEqual([
    '902 SHIFT_BESIDE_BREAK 900 9',
    '903 SHIFT_BESIDE_BREAK 900 9',
  ])
  expect(await reasons(world(1))).toEqual([])
})

test('a shift with several options makes both of its settlements AMBIGUOUS, but not a BREAK', async () => {
  expect(
    await reasons({
      computed_net: nets(`
        900 | TIED  | OBSERVED
        901 | BREAK | OBSERVED
        902 | TIED  | OBSERVED
        903 | TIED  | OBSERVED`),
      shift: shifts('900 | 901 | 8 | 2\n 902 | 903 | 9 | 1'),
    }),
  ).toEqual(['900 SHIFT_OPTIONS - 8'])
})

test('an explanation beside a person’s decision names the transactions that the person placed', async () => {
  expect(
    await reasons({
      computed_net: nets('900 | TIED | MANUAL\n 901 | BREAK | MANUAL'),
      explanation: explained('901 | EXTRA_TRANSACTION | 5 |'),
      manual_member: `settlement_id bigint | transaction_id bigint
        900 | 2
        901 | 4
        901 | 3`,
    }),
  ).toEqual(['901 MANUAL_DECISION - 3;4'])
})

test('a transaction that explains two terminals makes the one name the other if that is AMBIGUOUS', async () => {
  expect(
    await reasons({
      computed_net: nets(`
        900 | BREAK | WINDOW | 7
        901 | BREAK | WINDOW | 8
        902 | BREAK | WINDOW | 9
        903 | BREAK | WINDOW | 10`),
      explanation: explained(`900 | WRONG_TERMINAL | 5 |
        901 | WRONG_TERMINAL | 5 |
        902 | WRONG_TERMINAL | 6 |
        903 | WRONG_TERMINAL | 6 |`),
      rival: rivals('900 | LAST_SETTLEMENT | 1 |\n 902 | SWAP | 1 |'),
    }),
  ).toEqual(['900 LAST_SETTLEMENT - -', '901 OTHER_TERMINAL 900 5'])
})

test('a settlement that could have the difference of a neighbour names that neighbour once', async () => {
  const world = {
    computed_net: nets(`
      900 | BREAK | WINDOW
      901 | TIED  | WINDOW
      902 | TIED  | WINDOW
      903 | BREAK | WINDOW`),
    difference_rival: `settlement_id bigint | reason varchar
      901 | OTHER_BEGINNING
      902 | OTHER_END`,
  }
  const found = ['901 OTHER_BEGINNING 900 -', '902 OTHER_END 903 -']
  expect(await reasons(world)).toEqual(found)
  expect(await reasons({ ...world, rival: rivals('902 | OTHER_END | 1 |') })).toEqual(found)
  const observed = nets('901 | TIED | OBSERVED\n 902 | TIED | OBSERVED\n 903 | BREAK | OBSERVED')
  expect(await reasons({ ...world, computed_net: observed })).toEqual([])
})

test('an explanation that may fit by chance is a reason of its own, and a TIED settlement has none', async () => {
  expect(
    await reasons({
      computed_net: nets(`
        900 | TIED  | WINDOW
        901 | BREAK | WINDOW
        902 | TIED  | WINDOW`),
      explanation: explained('901 | EXTRA_TRANSACTION | 5 |', true),
    }),
  ).toEqual(['901 SAME_CENTS - -'])
})

test('a tie by chance is a reason of its own', async () => {
  expect(
    await reasons({
      computed_net: nets(`
        900 | BREAK | ALIGNED
        901 | TIED  | ALIGNED
        902 | BREAK | ALIGNED`),
    }),
  ).toEqual(['901 CHANCE - -'])
})

test('the models and the interface page have the reasons of the closed list, and no others', () => {
  const models = readModels().filter(({ name }) => ['certificate_reason', 'rival'].includes(name))
  const named = models.flatMap(({ text }) =>
    [...text.matchAll(/select\s+(?:one\.)?settlement_id,\s+'([A-Z_]+)'/g)].map(([, name]) => name),
  )
  expect([...new Set(named)].sort()).toEqual([...CERTIFICATE_REASONS])
  const page = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('| reason | meaning |')).split('\n\n', 1)[0] ?? ''
  const rows = [...table.matchAll(/^\| ([A-Z_]+) \|/gm)].map(([, name]) => name)
  expect(rows).toEqual([...CERTIFICATE_REASONS])
})
