import { expect, test } from 'vitest'
import { typed } from '../../../cli/shell/typed-command.ts'
import { FAILURES } from '../../../domain/failure.ts'
import { withLabels } from '../../../web/parts/labels.ts'

test('a message names the field of the page, and not the flag of the command', () => {
  expect(withLabels('--until 2020-01-01 is past')).toBe('“Waive until” 2020-01-01 is past')
  expect(withLabels(FAILURES.close_refused.remedy)).toBe(
    'solve the blockers, or close with “Reason to close with open blockers” and the reason',
  )
  expect(withLabels(FAILURES.approval_unconfirmed.remedy)).toMatch(
    /, then approve with the box ticked$/,
  )
})

test('a command in a message stays as it has to be typed', () => {
  const command = typed('tieout exceptions list --settlement 7', true)
  expect(withLabels(`it is a settlement: ${command}`)).toBe(`it is a settlement: ${command}`)
  const both = 'run tieout maintain --rotate-key with a --reason, then give --date'
  expect(withLabels(both)).toBe(
    'run tieout maintain --rotate-key with a --reason, then give “Posting date of the clearing”',
  )
})
