import { test } from 'vitest'
import { checkWorld } from '../../support/ground-truth.ts'

/** 1 is the demo's own size. */
const share = Number(process.env['TIEOUT_TEST_DEMO_SHARE'] ?? '0.3')

test('the truth is found in a world as long as the demo’s', async () => {
  const terminals = Math.round(40 * share)
  await checkWorld({ seed: 7, terminals, transactions: terminals * 5_100, days: 426 })
}, 3_600_000)
