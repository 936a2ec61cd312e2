import { expect, test } from 'vitest'
import { accountReportOf, reportOf } from '../../../cli/shell/failures.ts'
import { Interrupted } from '../../../cli/shell/interrupted.ts'
import { Failure } from '../../../domain/failure.ts'

test('among several accounts an error names its account, and so does the next command', () => {
  const { line, error } = accountReportOf('bolt', new Failure('source_refused', 'no answer'))
  expect(line).toContain('account bolt: no answer')
  expect(line).toContain('tieout --account bolt doctor')
  expect(error?.next).toContain('tieout --account bolt doctor')
})

test('an interrupted backup or starter file says that what exists is complete', () => {
  const interrupted = new Interrupted('SIGINT')
  expect(reportOf(interrupted, 'maintain').line).toContain('the backup is complete')
  expect(reportOf(interrupted, 'init').line).toContain('it is complete')
  expect(reportOf(interrupted, 'run').line).toContain('the same command continues')
})
