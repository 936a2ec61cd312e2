import { expect, test } from 'vitest'
import { readModels } from '../../../lake/run/models.ts'
import { heldAt, inScratch } from '../../../lake/run/spill-database.ts'

const models = readModels()
const made = (name: string, version_bytes?: number) =>
  inScratch(
    models,
    version_bytes === undefined ? undefined : { database: 'file', ...heldAt(version_bytes) },
  ).find((model) => model.name === name)

test('with half of the memory that all tables take the wide ones lie in the file, with less the others as well', () => {
  const tables = (version_bytes?: number) =>
    ['current_transaction', 'ordered_transaction'].map(
      (name) => made(name, version_bytes)?.apart?.table,
    )
  expect(tables()).toEqual([undefined, undefined])
  expect(tables(201)).toEqual(['file.current_transaction', undefined])
  expect(tables(200)).toEqual(['file.current_transaction', 'file.clocked_transaction'])
  expect(made('boundary', 1)?.apart).toBeUndefined()
})

test('transactions are put in order in as many parts as memory asks for, each terminal in one of them', () => {
  const parts = (version_bytes: number) => {
    const model = made('ordered_transaction', version_bytes)
    return [model?.text ?? '', ...(model?.apart?.further ?? [])]
  }
  expect([200, 160, 159, 40, 39, 1].map((bytes) => parts(bytes).length)).toEqual([
    1, 1, 2, 4, 8, 16,
  ])
  const asked = parts(40).map((text) => [...new Set(text.match(/\(terminal_id >> 1\) & 3 = \d/g))])
  expect(asked).toEqual([0, 1, 2, 3].map((part) => [`(terminal_id >> 1) & 3 = ${part}`]))
  // Nothing of them reads all terminals.
  for (const text of parts(40)) {
    expect(text.replaceAll(/\(from unplaced_settled_transaction/g, '')).not.toMatch(
      /\bfrom\s+unplaced_settled_transaction\b/,
    )
  }
})
