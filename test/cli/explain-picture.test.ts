import { expect, test } from 'vitest'
import { pictureOf } from '../../cli/explain.ts'

const SETTLEMENT = {
  ...{ settlementId: '900', terminalId: '41', terminalName: 'Bakery', status: 'COMPLETE' },
  created: '2025-01-13T07:36:53Z',
  ...{ reportedNet: '558.67', computedNet: '', difference: '', cutoff: '', method: 'NONE' },
  ...{ certificate: 'UNSOLVED', explanation: '', explainedAmount: '', unexplainedAmount: '' },
  ...{ explainedBy: '', candidates: '', clock: 'created', rivals: '0' },
  transactions: [],
  exceptions: [],
}

test('a settlement that is not judged says why, and the command that brings its transactions', () => {
  const lines = pictureOf({ ...SETTLEMENT, verdict: 'NO_DATA' })
  expect(lines.join('\n')).toContain('before what was read of them')
  expect(lines).toContain('  next         tieout run --from 2025-01-13')
  expect(pictureOf({ ...SETTLEMENT, verdict: 'BREAK' }).join('\n')).not.toContain('not judged')
})
