import { expect, test } from 'vitest'
import { inParts } from '../../../cli/import/import.ts'
import type { ImportOrder } from '../../../domain/import.ts'

test.each([0, 1, 25, 26, 1000])(
  'each of %i files is imported once, in the given order, by workflows with small payloads',
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
