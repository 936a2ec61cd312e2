import { expect, test } from 'vitest'
import type { Explanation } from '../../../queries/explanation.ts'
import { CutOff, Observed } from '../../../web/parts/settlement-cut-off.tsx'

test('the page of a settlement says in words what explain says of its cut-off', () => {
  const explanation = {
    ...{ endsAt: '2026-10-12T09:28:31Z', clock: 'created', method: 'WINDOW', cutOffs: [] },
    ...{ usualLag: '6:00', usualSpread: '0:15', reachHours: 12, rivalStretches: [] },
    certificateReasons: [{ reason: 'OTHER_END', otherSettlement: '902', transactions: '' }],
    ...{ netsByChance: 0, swaps: [{ leave: '5;6', join: '7' }] },
    observed: [{ at: '2026-11-18T04:15:00Z', what: 'settlement COMPLETE at -575.90' }],
  } as unknown as Explanation
  const text = `${String(CutOff({ explanation }))}${String(Observed({ explanation }))}`
  for (const said of [
    'Usually 6:00 before created, give or take 0:15 (h:mm). Searched up to 12 hours before created.',
    'The settlement could also end at another transaction; the transactions in between would move to or from settlement 902.',
    '5;6',
    'settlement COMPLETE at -575.90',
  ]) {
    expect(text).toContain(said)
  }
})
