import { test } from 'vitest'
import { checkWorld } from '../support/ground-truth.ts'

test('the truth is found in the world of the demo', async () => {
  await checkWorld({ seed: 7, terminals: 40, transactions: 204_000, days: 426 })
}, 900_000)
