import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cents,
  formatCents,
  parseCents,
  parseNumberCents,
  printedCents,
} from '../../../domain/cents.ts'

test.each([
  ['0.00', 0n],
  ['-0.00', 0n],
  ['12.30', 1230n],
  ['-12.30', -1230n],
  ['9999999999999.99', 999_999_999_999_999n],
])('the amount %s is read to the cent', (text, expected) => {
  expect(parseCents(text)).toBe(expected)
})

test.each([
  '1,000.00',
  '1.5',
  '',
  '١٢.٠٠',
  '１.００',
  '+1.00',
  '1e3',
  ' 1.00',
  '1.00\n',
  '1.000',
  '1',
  '.50',
  '1.',
  '10000000000000.00',
])('the text %j is no amount', (text) => {
  expect(parseCents(text)).toBeUndefined()
})

test.each([
  ['1234.5', 123_450n, false],
  ['1e3', 100_000n, false],
  ['1E-2', 1n, false],
  ['12.34', 1234n, false],
  ['-0', 0n, false],
  ['0.0', 0n, false],
  ['-75', -7500n, false],
  ['90071992547409.93', undefined, false],
  ['9007199254740.93', 900_719_925_474_093n, false],
  ['123.44999999999999', 12_345n, true],
  ['123.45000000000002', 12_345n, true],
  ['0.30000000000000004', 30n, true],
  ['-0.30000000000000004', -30n, true],
  ['12.000001', 1200n, true],
  ['12.0000011', undefined, false],
  ['1234.565', undefined, false],
  ['1e21', undefined, false],
  ['1e-9', 0n, true],
  ['NaN', undefined, false],
  ['0x10', undefined, false],
  ['01e9999', undefined, false],
])('the number %s is %s cents', (text, expected, noise) => {
  const read = parseNumberCents(text)
  expect(read?.cents).toBe(expected)
  if (read !== undefined) expect(read.noise).toBe(noise)
})

test('I20: a sum of any size is printed and read back unchanged', () => {
  fc.assert(
    fc.property(fc.bigInt(), (sum) => {
      expect(printedCents(formatCents(cents(sum)))).toBe(sum)
    }),
  )
  for (const text of ['', '1', '1.5', '1,000.00', '+1.00', '1.00\n']) {
    expect(printedCents(text)).toBeUndefined()
  }
})

test('I20: every amount is printed and read back unchanged', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), (amount) => {
      expect(parseCents(formatCents(cents(amount)))).toBe(amount)
      expect(parseNumberCents(formatCents(cents(amount)))).toEqual({ cents: amount, noise: false })
    }),
    { numRuns: 2000 },
  )
})
