import { expect, test } from 'vitest'
import { attributed, HISTORIES } from '../../../bench/attribution.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { tempFolder } from '../../support/temp-lake.ts'

/** The bench runs a million; a few thousand show whether each kind of evidence is used. */
const TRANSACTIONS = Number(process.env['TIEOUT_ATTRIBUTED'] ?? 24_000)

const emptyLake = () => emptyLakeIn(tempFolder())

/** Each kind of evidence once. With nothing but the time of a late capture, arithmetic can't place each one. */
const isWanted = (name: string) => /night|5 % errors$|moves at|banking days$/.test(name)

test.each(HISTORIES.filter(([name]) => isWanted(name)))(
  'each transaction is in its true settlement, each wrong net has its amount, and none is invented: %s',
  async (_name, kind) => {
    const found = await attributed({ ...kind, transactions: TRANSACTIONS }, emptyLake())
    expect(found.errors).toBeGreaterThan(0)
    expect(found).toMatchObject({
      errors_missed: 0,
      errors_by_another_amount: 0,
      called_break: 0,
      called_explained: 0,
      wrongly_unique: 0,
      placed_truly: found.transactions,
    })
  },
)

/** Five times as many late captures as the bench has, so that a small history has several at one cut-off. */
const CROWDED = HISTORIES.filter(([name]) => /^read each night, (flag|two)/.test(name)).map(
  ([name, kind]): [string, typeof kind] => [name, { ...kind, late: 0.005 }],
)

test.each(CROWDED)(
  'several late captures at one cut-off do not make a right net a BREAK: %s',
  async (_name, kind) => {
    const found = await attributed({ ...kind, transactions: TRANSACTIONS }, emptyLake())
    expect(found).toMatchObject({
      errors_missed: 0,
      errors_by_another_amount: 0,
      called_break: 0,
      called_explained: 0,
      wrongly_unique: 0,
    })
    expect(found.placed_truly / found.transactions).toBeGreaterThan(0.9995)
  },
)
