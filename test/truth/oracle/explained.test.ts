import { expect, test } from 'vitest'
import { rowsOf } from '../../support/temp-lake.ts'
import { type LakeRecords, reconcileRecords } from './bulk-lake.ts'
import { type Explained, explainedByForce } from './explained-by-force.ts'
import { offCases } from './off-cases.ts'

import { CASES, FIRST } from './drawn-cases.ts'

const CODES = [
  'WRONG_TERMINAL',
  'COUNTED_TWICE',
  'REFUND_SIGN',
  'MISSING_TRANSACTION',
  'EXTRA_TRANSACTION',
  'COMPONENT_EXCLUDED',
]

interface Compared {
  id: number
  said: Explained
  forced: Explained
}

let once: Promise<{ records: LakeRecords; compared: Compared[] }> | undefined

/** All cases in one lake, reconciled once for all tests; of the placing of transactions the models are believed. */
const everyCase = () =>
  (once ??= (async () => {
    const records = offCases(CASES, FIRST)
    const connection = await reconcileRecords(records)
    const members = await rowsOf(
      connection,
      'select transaction_id::integer as id, settlement_id::integer as home from attribution',
    )
    const forced = explainedByForce(
      records,
      new Map(members.map(({ id, home }) => [Number(id), Number(home)])),
    )
    const rows = await rowsOf(
      connection,
      `select settlement_id::integer as id, verdict, case when verdict <> 'TIED' then certificate else '' end as certificate,
         coalesce(nullif(explanation, 'CUTOFF_SHIFT'), '') as explanation, case when verdict <> 'TIED' then coalesce(explained_by, '') else '' end as explained_by,
         difference_cents::integer as difference, explained_cents::integer as explained, unexplained_cents::integer as unexplained,
         coalesce(sets, 0)::integer as sets, coalesce(tieout.candidates, '') as candidates
       from tieout left join explanation using (settlement_id) where verdict <> 'PENDING' order by settlement_id`,
    )
    const compared = rows.flatMap((row) => {
      const { id, candidates, ...said } = row as unknown as Explained & { id: number }
      const named = String(candidates)
        .replace(/^\d+ sets: | and \d+ more$/g, '')
        .split(', ')
        .filter(Boolean)
        .sort()
      const byForce = forced.get(id)
      return byForce === undefined
        ? []
        : [{ id, said: { ...said, candidates: named }, forced: byForce }]
    })
    return { records, compared }
  })())

/** A settlement as a person would want to read it. */
function told({ id, said, forced }: Compared, { settlements, transactions }: LakeRecords): string {
  const terminal = settlements.find(({ settlement_id }) => settlement_id === id)?.terminal_id
  return [
    `settlement ${id}`,
    `said   ${JSON.stringify(said)}`,
    `forced ${JSON.stringify(forced)}`,
    ...settlements.filter((one) => one.terminal_id === terminal).map((one) => JSON.stringify(one)),
    ...transactions.filter((one) => one.terminal_id === terminal).map((one) => JSON.stringify(one)),
  ].join('\n')
}

test('every explanation equals the result of trying every cause and every set of up to four transactions', async () => {
  const { records, compared } = await everyCase()
  const wrong = compared.filter(({ said, forced }) => !isSame(said, forced))
  expect(wrong.slice(0, 3).map((one) => told(one, records))).toEqual([])
})

test('explained and unexplained amounts add up to the difference in every row', async () => {
  const { compared } = await everyCase()
  const wrong = compared.filter(({ said }) => said.difference !== said.explained + said.unexplained)
  expect(wrong).toEqual([])
})

test('the cases have enough of every kind to prove something', async () => {
  const { compared } = await everyCase()
  const share = (test: (forced: Explained) => boolean) =>
    compared.filter(({ forced }) => test(forced)).length / CASES
  const size = ({ explained_by }: Explained) => explained_by.split(';').length
  for (const code of CODES) {
    expect([code, share(({ explanation }) => explanation === code)]).toEqual([
      code,
      expect.toSatisfy((found: number) => found > 0.01),
    ])
  }
  for (const many of [2, 3, 4]) {
    expect(share((one) => one.explanation === 'COMBINATION' && size(one) === many)).toBeGreaterThan(
      0.002,
    )
  }
  for (const code of [...CODES.slice(0, -1), 'COMBINATION']) {
    const isOneOfMany = ({ candidates }: Explained) =>
      candidates.length > 1 && candidates.some((name) => name.startsWith(code))
    expect([code, share(isOneOfMany)]).toEqual([
      code,
      expect.toSatisfy((found: number) => found > 0.001),
    ])
  }
  const isRefund = ({ explained, explanation }: Explained) =>
    explanation === 'COMBINATION' && explained < 0
  expect(share(isRefund)).toBeGreaterThan(0.002)
  expect(share(({ verdict, sets }) => verdict === 'BREAK' && sets === 1)).toBeGreaterThan(0.002)
  expect(share(({ verdict }) => verdict === 'TIED')).toBeGreaterThan(2)
})

/** The explanation names the first ten candidates. */
function isSame(said: Explained, forced: Explained): boolean {
  const { candidates: named, ...rest } = said
  const { candidates: all, ...wanted } = forced
  return (
    Object.entries(wanted).every(([name, value]) => rest[name as keyof typeof rest] === value) &&
    named.length === Math.min(10, all.length) &&
    named.every((name) => all.includes(name))
  )
}
