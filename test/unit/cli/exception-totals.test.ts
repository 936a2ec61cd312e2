import { expect, test } from 'vitest'
import { totalsLine } from '../../../queries/exception-totals.ts'
import type { Listing } from '../../../queries/list-exceptions.ts'

const listed = (code: string, subjectType: string, subjectId: string, amount: string | null) =>
  ({ code, subjectType, subjectId, amount }) as Listing['exceptions'][number]

test('an item with several exceptions counts once, with its difference or else its largest amount', () => {
  const exceptions = [
    listed('AMOUNT_MISMATCH', 'settlement', '900', '-17.15'),
    listed('COMPLETE_CHANGED', 'settlement', '900', '1.45'),
    listed('SETTLEMENT_REVERSED', 'transaction', '900', '50.54'),
    listed('UNSETTLED_AGED', 'transaction', '900', '-50.54'),
    listed('TOTAL_MISMATCH', 'transaction', '900', '0.20'),
    listed('QUARANTINED', 'transaction', '901', null),
  ]
  expect(totalsLine({ asOf: '2026-11-02T00:00:00Z', exceptions }, 'USD')).toBe(
    '6 exceptions as of 2026-11-02T00:00:00Z, gross difference 17.15 USD, other amounts 50.54 USD',
  )
})
