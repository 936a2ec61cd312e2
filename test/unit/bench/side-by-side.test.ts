import { expect, test } from 'vitest'
import { PEERS, sameAnswers, sideBySide } from '../../../bench/peers/side-by-side.ts'
import { asCalled, withSection } from '../../../bench/performance-page.ts'
import { median } from '../../../bench/timed.ts'
import { reconciled } from '../../truth/second-engine/world.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { tempFolder } from '../../support/temp-lake.ts'

test('every available engine gives our answers on a generated history, and an absent engine is named', async (context) => {
  requireProgram(context, 'polars')
  const connection = await reconciled({ seed: 5, transactions: 5000 })
  // The engines beside us take the row before as the duplicate: they know no invoice numbers.
  await connection.run(
    'create temp table without_invoices as select * replace (null::varchar as invoice_number) from current_transaction',
  )
  await connection.run('drop table current_transaction')
  await connection.run('create temp view current_transaction as from without_invoices')
  const options = { folder: tempFolder(), transactions: 5000, threads: 1, rounds: 1, peers: PEERS }
  const found = await sideBySide(connection, options)
  connection.closeSync()
  expect(Object.keys(found.stages)).toEqual(['read', 'window', 'ceiling', 'duplicates', 'compare'])
  expect(Object.keys(found.peers).sort()).toEqual([
    'chdb',
    'datacompy',
    'pandas',
    'polars',
    'polars_streaming',
    'row_loop',
  ])
  for (const name of ['polars', 'polars_streaming', 'row_loop']) {
    expect(found.peers[name]).toMatchObject({ of: 'three stages' })
  }
})

test('an engine with another answer is refused, with the stage and both answers', () => {
  const ours = { answers: { window: [1, 2], ceiling: [3] } }
  sameAnswers('polars', { answers: { window: [1, 2] } }, ours)
  expect(() => sameAnswers('polars', { answers: { window: [1, 3] } }, ours)).toThrow(
    'polars answers window with 1 3, and we with 1 2',
  )
  expect(() => sameAnswers('polars', { answers: { compare: [0] } }, ours)).toThrow('compare')
})

test('figures go between the marks of the page, and the rest of the page stays', () => {
  const page =
    '# P\n<!-- figures of bench:core: made by the run, not by hand -->\nold\n<!-- end of the figures of bench:core -->\nrest\n'
  expect(withSection(page, 'bench:core', 'new')).toBe(page.replace('old', 'new'))
  expect(() => withSection('# P\n', 'bench:core', 'new')).toThrow(
    'no place for figures of bench:core',
  )
})

test('a run has its row on the page by its command', () => {
  expect(asCalled('bench:core', ['--write-docs'])).toBe('npm run bench:core')
  expect(
    asCalled('bench:core', [
      '--transactions',
      '5',
      '--keep',
      '/tmp/x',
      '--write-docs',
      '--days',
      '2',
    ]),
  ).toBe('npm run bench:core -- --transactions 5 --days 2')
})

test('the median of an even number of rounds lies between the two in the middle', () => {
  expect([median([5, 1, 3]), median([4, 1, 9, 2])]).toEqual([3, 3])
})
