import { expect, test } from 'vitest'
import { inParts, refuseUnread } from '../../cli/import.ts'
import type { ImportedFile, ImportOrder } from '../../domain/import.ts'

test.each([0, 1, 25, 26, 1000])(
  'of %i files each is imported once, in the order in which they were named, by workflows with small payloads',
  (count) => {
    const orders = Array.from({ length: count }, (_, at): ImportOrder => ({
      account: 'acme',
      list: 'transactions',
      file: `/exports/${String(at).padStart(200, '0')}.csv`,
      format: 'csv',
    }))
    const parts = inParts(orders)
    expect(parts.flat()).toEqual(orders)
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(10_000)
    expect(parts).toHaveLength(Math.ceil(count / 25))
  },
)

test.each<[string, Partial<ImportedFile>, string | undefined]>([
  ['a record of two', { rows: 2, quarantined: 1 }, undefined],
  ['no record of none', { rows: 0, quarantined: 0 }, undefined],
  [
    'no record of two',
    { rows: 2, quarantined: 2 },
    'late.csv: none of its 2 records could be read',
  ],
  [
    'no record of two, once more',
    { landed: false, rows: 2, quarantined: 2 },
    'late.csv: none of its 2 records could be read',
  ],
])('a file of which %s can be read is no success unless that is all', (_, counts, said) => {
  const none = { landed: true, newVersions: 0, differing: 0, older: 0 }
  const read = { ...none, file: 'early.csv', sweepId: 'a', rows: 1, quarantined: 0 }
  const files = [read, { ...read, file: 'late.csv', ...counts }]
  if (said === undefined) expect(() => refuseUnread(files)).not.toThrow()
  else expect(() => refuseUnread(files)).toThrow(said)
})
