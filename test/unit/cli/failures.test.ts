import { expect, test } from 'vitest'
import { accountReportOf } from '../../../cli/shell/failures.ts'
import { Failure } from '../../../domain/failure.ts'

test('among several accounts an error names its account, and so does the next command', () => {
  const { line, error } = accountReportOf('bolt', new Failure('source_refused', 'no answer'))
  expect(line).toContain('account bolt: no answer')
  expect(line).toContain('tieout --account bolt doctor')
  expect(error?.next).toContain('tieout --account bolt doctor')
})
