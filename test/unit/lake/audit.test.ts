import { expect, test } from 'vitest'
import { appendDecision, readTrail } from '../../../lake/decisions/audit-trail.ts'
import { tempLake } from '../../support/temp-lake.ts'

test('the audit trail is read in the order of its numbers, with ten acts and more', async () => {
  const { connection } = await tempLake()
  const about = { account: 'acme', actor: 'Ada', reason: 'seen', detail: { settlement: '1' } }
  for (let act = 1; act <= 12; act += 1) {
    await appendDecision(connection, {
      ...about,
      action: 'transaction.attribute',
      subject: String(act),
    })
  }
  expect((await readTrail(connection)).map(({ subject }) => Number(subject))).toEqual(
    Array.from({ length: 12 }, (_, before) => before + 1),
  )
})
