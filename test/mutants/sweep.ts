/** Broken variants of the sweep. */
import type { Mutant } from './mutant.ts'

const STEP = 'api/sweep/sweep-step.ts'
const ORDER = 'api/sweep/sweep-order.ts'
const AHEAD = 'api/sweep/prefetch.ts'
const STILL = 'a list that does not change'
const MOVING = 'a list that changes while it is read'
const PART = 'a part of a list'

const ofPages = (mutant: Omit<Mutant, 'file'>): Mutant => ({
  ...mutant,
  file: 'unit/api/sweep-step',
})
const ofOrders = (mutant: Omit<Mutant, 'file'>): Mutant => ({
  ...mutant,
  file: 'unit/api/sweep-order',
})
const ofRequests = (mutant: Omit<Mutant, 'file' | 'module'>): Mutant => ({
  ...mutant,
  module: AHEAD,
  file: 'simulation/look-ahead',
})

export const SWEEP: readonly Mutant[] = [
  ...[
    {
      module: STEP,
      from: 'return { ...taken, state: startHead(taken.state) }',
      to: "return finish(list, taken, 'CONTIGUOUS')",
      title: `${MOVING} shows a record that moves to the head after the head was read`,
    },
    {
      module: STEP,
      from: ' && collect.content === before.content',
      to: '',
      title: `${MOVING} is no snapshot if a record changed between two readings`,
    },
    {
      module: STEP,
      from: 'const isRepeated = ',
      to: 'const isRepeated = page.asked === 0 && ',
      title: `${STILL} and has no order is read twice, and the second reading hands over nothing again`,
    },
    {
      module: STEP,
      from: ' && (collect.pages === 0 || anchor.length > 0 || state.followed !== undefined)',
      to: '',
      title: `${STILL} and has one record a page proves nothing, because such pages share no record`,
    },
    {
      module: STEP,
      from: 'begin !== null && !orders.created.rises',
      to: 'begin !== null && orders.created.last === null',
      title: `${PART} is the whole list if the place to begin was a mistake`,
    },
    {
      module: STEP,
      from: '{ ...state, held: false, anchor: [] }',
      to: '{ ...state, anchor: [] }',
      title: `${PART} is certified at best effort if its first record was deleted with many before it`,
    },
    {
      module: 'api/sweep/record-marks.ts',
      from: 'if (record === undefined || recordId(record) !== id) return false',
      to: 'if (record === undefined) return false\n    if (recordId(record) !== id) return true',
      title: `${MOVING} loses no record when others before it are deleted`,
    },
    {
      module: 'api/sweep/sweep-collect.ts',
      from: 'offset: page.offset + index }',
      to: 'offset: page.offset }',
      title: `${PART} begins at a known record, wherever it is by now`,
    },
  ].map(ofPages),
  ...[
    {
      module: ORDER,
      from: 'ages.every((one) =>',
      to: 'ages.some((one) =>',
      title:
        'a page is older than an instant if the newest come first, and each of its records is older',
    },
    {
      module: ORDER,
      from: "isNew && modified.falls ? 'newest' : 'created'",
      to: "'created'",
      title:
        'a page is older than an instant only by its last changes as well, as long as these may be the order of the list',
    },
    {
      module: ORDER,
      from: 'order.tied = true',
      to: '',
      title: 'equal times on both sides of a page boundary leave the order open',
    },
    {
      module: ORDER,
      from: '(rises ? value < last : value > last))) return true',
      to: 'value < last)) return true',
      title:
        'records lie before the last one that was followed if they are newer and the list falls',
    },
    {
      module: ORDER,
      from: '(isUsable(id) && id.rises)',
      to: 'isUsable(id)',
      title: 'a list grows at its end if its ids or its times rise, and not if they fall',
    },
    {
      module: ORDER,
      from: 'last !== null && rises !== falls && !tied',
      to: 'last !== null && (rises || falls) && !tied',
      title: 'an order is usable if it rises or falls over at least two values',
    },
    {
      module: 'api/sweep/sweep-state.ts',
      from: 'Math.min(10, Math.max(',
      to: 'Math.min(9, Math.max(',
      title: 'after a page of 120 records, the next one repeats 10',
    },
  ].map(ofOrders),
  ...[
    {
      from: "this.#given.abort(new Error('the page is not needed any more'))",
      to: '',
      title: 'a sweep that moves elsewhere cancels the pages read ahead and uses none of them',
    },
    {
      from: 'if (before?.isLast === true) return',
      to: '',
      title: 'no page is asked for after one that is known to be the last',
    },
    {
      from: 'Math.min(MOST_PAGES, fitting)',
      to: 'MOST_PAGES',
      title: 'only a few large pages are read ahead',
    },
  ].map(ofRequests),
  {
    module: STEP,
    from: 'records.slice(after).some(isRecent)',
    to: 'records.length < after',
    file: 'simulation/overtaken',
    title:
      'a record that moves to the previous page, whose answer comes later, does not return to its old state',
  },
  {
    module: 'api/sweep/sweep.ts',
    from: 'if (state !== undefined && batch.pages.length > 0)',
    to: 'if (state !== undefined && batch.pages.length > 99)',
    file: 'unit/api/sweep-faults',
    title:
      'records read before the service stopped answering are handed over, even a small part of a batch',
  },
]
