/**
 * Goal: no decision, import, erasure or page of the console writes personal data. Temporal stores no name and no reason
 * of a person who decides. Method: every command that decides, over a worker, and the pages of the console; then a
 * search in every byte.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import { startTieout, type Ended } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { openConsole, visitFrom } from '../../support/console.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { commandsIn, everythingIn, forbidden, placeIn, RANGE, simulate } from './privacy-world.ts'
import { contentsOf, searchFor } from './search.ts'

/** Words of the people who act. They belong into the audit trail and the pack. */
const PREPARER = 'Zyxpreparer One'
const REVIEWER = 'Zyxreviewer Two'
const ASSIGNEE = 'Zyxassignee Three'
const REASON = 'Zyxreason by hand'
const people = searchFor(['Zyxpreparer', 'Zyxreviewer', 'Zyxassignee', 'Zyxreason'])

const HEADER = 'transactionId,terminalId,action,status,created,amountTotal,customerName'
/** Each line has personal data in a column where it does not belong, and is rejected. */
const WRONG_LINES = [
  'Zyxcanarylast,41,CHARGE,CAPTURE,2025-11-01T10:00:00Z,12.30,Zyxcanaryfirst',
  '900001,Zyxcanary Company,CHARGE,CAPTURE,2025-11-01T10:00:00Z,12.30,Zyxcanaryfirst',
  '900004,41,CHARGE,CAPTURE,7 Zyxcanary Street,12.30,Zyxcanaryfirst',
  '900005,41,CHARGE,CAPTURE,2025-11-01T10:00:00Z,zyxcanary.mail@zyxcanary.example,Zyxcanaryfirst',
]
const rows = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `${800_000 + at},41,CHARGE,CAPTURE,2025-11-01T10:00:00Z,12.30,Zyxcanaryfirst`,
  )

test('decisions, imports, an erasure and the console leave no personal data, and Temporal holds no word of the people who act', async () => {
  const simulator = await simulate()
  expect(await everythingIn(simulator, 'transactions')).toContain('Zyxcanarylast')
  const folder = tempFolder()
  const place = placeIn(folder, simulator.url, { TIEOUT_ACTOR: PREPARER })
  const worker = startTieout(['worker'], place)
  await worker.says('worker ready')
  const command = commandsIn(place, tieoutHere)
  const ran = async (...args: string[]): Promise<Ended> => {
    const ended = await command([...args, '--json'])
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).toBe(0)
    return ended
  }
  const refused = async (code: string, ...args: string[]) =>
    expect((await command(args)).stderr, args.join(' ')).toContain(`error ${code}`)

  const { pack }: RunResult = JSON.parse((await ran('run', ...RANGE)).stdout)
  const open: { exceptionId: string }[] = JSON.parse((await ran('exceptions', 'list')).stdout)
  const [assigned = '', waived = '', resolved = ''] = open.map(({ exceptionId }) => exceptionId)
  await ran('exceptions', 'assign', assigned, '--to', ASSIGNEE, '--reason', REASON)
  await ran('exceptions', 'waive', waived, '--until', '2027-12-31', '--reason', REASON)
  await ran('exceptions', 'resolve', resolved, '--reason', REASON)
  await ran('exceptions', 'reopen', resolved, '--reason', REASON)
  await ran('exceptions', 'show', assigned)
  const [, transaction = '', settlement = ''] = linesOf(pack, 'attributions.csv')[1] ?? []
  const reasons = ['--reason', REASON]
  await ran('attribute', transaction, '--to', settlement, ...reasons)
  await ran('attribute', transaction, '--undo', ...reasons)
  await refused('approval_refused', 'approve', pack, '--by', PREPARER, ...reasons)
  await refused('approval_unconfirmed', 'approve', pack, '--by', REVIEWER, ...reasons)
  await ran('approve', pack, '--refuse', REASON, '--by', REVIEWER)
  await ran('approve', pack, '--yes', '--by', REVIEWER, ...reasons)
  const close = ['periods', 'close', '2025-10', '--by', REVIEWER, ...reasons]
  await refused('close_refused', ...close)
  await ran(...close, '--accept-open', REASON)
  await ran('periods', 'reopen', '2025-10', '--by', REVIEWER, ...reasons)
  await ran('maintain', '--erase', transaction, '--by', REVIEWER, ...reasons)
  await refused('usage', 'exceptions', 'assign', assigned, '--to', 'a\nb', ...reasons)
  await refused('usage', 'attribute', '1', '--to', settlement, ...reasons)

  const rejects = join(folder, '..', `${folder.split('/').at(-1)}-rejects.csv`)
  writeFileSync(rejects, [HEADER, ...rows(200), ...WRONG_LINES, ''].join('\n'))
  const imported = JSON.parse((await ran('import', rejects, '--yes')).stdout)
  expect(imported.files[0]).toMatchObject({ quarantined: WRONG_LINES.length })
  writeFileSync(rejects, [...WRONG_LINES, ''].join('\n'))
  await refused('import_unreadable', 'import', rejects)
  await ran('reconcile', ...RANGE)

  const console = await openConsole(place)
  const waivedHere = await console.post(`/exceptions/${assigned}`, '/exceptions/decide', {
    ...{ exceptionId: assigned, verb: 'waive', until: '2029-12-31', reason: REASON },
  })
  expect(waivedHere.status).toBe(200)
  const pages = await visitFrom(console, '/', 40)
  expect(pages.length).toBe(40)
  console.started.kill('SIGINT')
  const consoleEnded = await console.started.ended
  const written = [...pages, waivedHere].map(({ text }) => text)
  writeFileSync(join(folder, 'console.html'), [...written, consoleEnded.stderr].join('\n'))

  worker.kill('SIGTERM')
  const { stdout, stderr } = await worker.ended
  writeFileSync(join(folder, 'worker.stdout'), stdout)
  writeFileSync(join(folder, 'worker.stderr'), stderr)
  const contents = await contentsOf(folder)
  expect(forbidden.in(contents)).toEqual([])
  const ofTemporal = contents.filter(({ place: name }) => name.startsWith('lake/temporal/'))
  expect(ofTemporal.some(({ bytes }) => bytes.includes('books/privacy/approve/'))).toBe(true)
  expect(people.in(ofTemporal)).toEqual([])
  // The search finds these words where they belong.
  const places = people.in(contents).map(({ place: name }) => name)
  expect(places.some((name) => name.startsWith('lake/parquet/ops/audit/'))).toBe(true)
  expect(places.some((name) => name.endsWith('exceptions.csv'))).toBe(true)
  expect(places).toContain('console.html')
})

const linesOf = (pack: string, name: string) =>
  readFileSync(join(pack, name), 'utf8')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
