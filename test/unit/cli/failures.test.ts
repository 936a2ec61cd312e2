import { expect, test } from 'vitest'
import { withFailures } from '../../../activities/runtime/with-failures.ts'
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

test('a usage failure without a remedy of its own leads to the help of its command, also from a worker', async () => {
  const said = async (failure: Failure) => {
    const carried: unknown = await withFailures(() => Promise.reject(failure), {
      attempt: 1,
    }).catch((error: unknown) => error)
    return [failure, carried].map((error) => reportOf(error, 'periods close').error?.next)
  }
  const help = expect.stringContaining('tieout periods close --help')
  expect(await said(new Failure('usage', 'no period'))).toEqual([help, help])
  const own = expect.stringContaining('tieout periods list')
  const remedy = 'tieout periods list'
  expect(await said(new Failure('usage', 'no period', { remedy }))).toEqual([own, own])
})
