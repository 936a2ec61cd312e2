import { expect, test } from 'vitest'
import { readsOf, readChecks, readModels } from '../../../lake/run/models.ts'
import { dropAfterLastReader } from '../../../lake/run/last-reader.ts'

const models = dropAfterLastReader(readModels())
const dropsOf = (name: string) => models.find((model) => model.name === name)?.drops ?? []

test('the settled transactions are dropped once they are ordered, and the ordered ones after the last search for rivals', () => {
  expect(dropsOf('ordered_transaction')).toEqual(['unplaced_settled_transaction'])
  const last = models.find(({ drops = [] }) => drops.includes('ordered_transaction'))
  expect(['swap_rival', 'shift_rival', 'single_shift', 'interchangeable_member']).toContain(
    last?.name,
  )
})

test('no table is dropped before the last model, check or command that reads it', () => {
  for (const [at, { drops = [] }] of models.entries()) {
    const later = [...models.slice(at + 1), ...readChecks()].flatMap(readsOf)
    expect(drops.filter((table) => later.includes(table))).toEqual([])
  }
  const dropped = models.flatMap(({ drops = [] }) => drops)
  expect(dropped).toHaveLength(new Set(dropped).size)
  for (const kept of ['current_transaction', 'boundary', 'attribution', 'refund_at_risk']) {
    expect(dropped).not.toContain(kept)
  }
})
