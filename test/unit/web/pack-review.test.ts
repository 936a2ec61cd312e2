import { expect, test } from 'vitest'
import { Review } from '../../../web/pages/pack-review.tsx'

test('a refusal in the words of an earlier one is another decision, because both forms carry the newest act', () => {
  const person = { name: 'Ann', role: 'reviewer', formToken: 't' } as const
  const forms = String(Review({ runId: 'r1', person, seen: '7' }))
  expect(forms.match(/name="seen" value="7"/g)).toHaveLength(2)
})
