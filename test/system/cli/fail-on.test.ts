import { expect, test } from 'vitest'
import { failingOn } from '../../../cli/run/fail-on.ts'

test.each([
  ['never', { severity: 'never' }],
  ['error', { severity: 'error' }],
  ['warning,error', { severity: 'warning' }],
  ['error,warning', { severity: 'warning' }],
  ['unexplained=100.00', { severity: 'never', unexplained: 10_000n }],
  ['error, unexplained=0.01', { severity: 'error', unexplained: 1n }],
])('--fail-on %s', (text, failing) => {
  expect(failingOn(text)).toEqual(failing)
})

test.each([
  '',
  'errors',
  'unexplained',
  'unexplained=',
  'unexplained=100',
  'unexplained=0.00',
  'unexplained=-1.00',
  'error;warning',
  'error,never',
])('a condition such as "%s" is refused before anything starts', (text) => {
  expect(() => failingOn(text)).toThrow(expect.objectContaining({ code: 'usage' }))
})
