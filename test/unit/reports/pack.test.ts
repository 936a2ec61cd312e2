/**
 * Goal: a pack is published whole and checked, or not at all. Method: a small pack in memory, with one fault at a
 * time.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readApproval, writeApproval } from '../../../reports/pack/approval.ts'
import { manifestText } from '../../../reports/pack/manifest.ts'
import { PACK_FILES } from '../../../reports/pack/pack-files.ts'
import { parseManifest } from '../../../reports/pack/read-manifest.ts'
import { type PackSource, type Row } from '../../../reports/pack/pack-source.ts'
import { requireProgram } from '../../support/outside-program.ts'
import { mount, smallDisk } from '../../support/small-disk.ts'
import { aboutOf, packFrom, journalLine, settlement, sourceOf, worldOf } from './fake-source.ts'

let out = ''
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'tieout-pack-'))
})
afterEach(() => {
  rmSync(out, { recursive: true, force: true })
})

const read = (path: string) => readFileSync(path, 'utf8')
const everything = () => readdirSync(out, { recursive: true, encoding: 'utf8' }).sort()
const filesIn = () => everything().filter((path) => statSync(join(out, path)).isFile())
const manifestIn = (folder: string) => JSON.parse(read(join(folder, 'manifest.json')))

test('a pack has every file of the contract, and the manifest hashes each but itself', async () => {
  const folder = await packFrom(sourceOf(worldOf()), aboutOf(out))
  expect(folder).toBe(join(out, 'demo', '2026-02-01_2026-03-01', 'run-1'))
  const programs =
    'quickbooks-online.csv quickbooks-desktop.iif xero.csv netsuite.csv sage-intacct.csv business-central.csv business-central.xlsx tieout.hledger tieout.beancount tieout.ledger README.txt'
  const names = [
    ...PACK_FILES.map(({ name }) => name),
    ...programs.split(' ').map((name) => `accounting/${name}`),
    ...['summary.html', 'summary.xlsx'],
  ]
  const inPack = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(inPack.sort()).toEqual([...names, 'accounting', 'manifest.json'].sort())
  const { files } = manifestIn(folder)
  expect(files.map(({ name }: { name: string }) => name)).toEqual(names)
  for (const { name, bytes, sha256 } of files) {
    const content = readFileSync(join(folder, name))
    expect([name, content.length]).toEqual([name, bytes])
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  }
  expect(files[0]).toMatchObject({ name: 'settlements.csv', rows: 2 })
})

test('the manifest names the inputs of the pack, and the columns that are guarded against formulas', async () => {
  const folder = await packFrom(sourceOf(worldOf()), aboutOf(out, { counts: { netNoise: 3 } }))
  expect(manifestIn(folder)).toMatchObject({
    runId: 'run-1',
    account: 'demo',
    from: '2026-02-01',
    to: '2026-03-01',
    knownAt: '42',
    configHash: 'f00d',
    certificate: 'CONTIGUOUS',
    counts: { netNoise: 3 },
    controlTotals: [{ check: 'journal balances', pass: 'true' }],
    guards: {
      columns: {
        'settlements.csv': ['terminalName'],
        'exceptions.csv': ['detail', 'stateBy', 'stateReason', 'assignee'],
        'worklist.csv': ['terminalName', 'assignee'],
      },
    },
  })
})

test('a manifest holds the version of its schema, and one from before that stays readable', async () => {
  const folder = await packFrom(sourceOf(worldOf()), aboutOf(out))
  const { schemaVersion, manifestSha256: _seal, ...earlier } = manifestIn(folder)
  expect(schemaVersion).toBe(1)
  expect(parseManifest(Buffer.from(manifestText(earlier)))).toMatchObject({ runId: 'run-1' })
})

test('two runs on the same knowledge write the same bytes, except for the run’s id', async () => {
  const first = await packFrom(sourceOf(worldOf()), aboutOf(out))
  const second = await packFrom(sourceOf(worldOf()), aboutOf(join(out, 'other')))
  for (const { name } of manifestIn(first).files) {
    expect(readFileSync(join(second, name)).equals(readFileSync(join(first, name)))).toBe(true)
  }
})

test('a failed control total withholds the pack, names the sums and leaves nothing behind', async () => {
  const control_totals = [
    { check: 'rows', expected: '3', actual: '3', difference: '0', pass: 'true' },
    { check: 'clearing', expected: '10.00', actual: '12.30', difference: '2.30', pass: 'false' },
  ]
  await expect(packFrom(sourceOf(worldOf({ control_totals })), aboutOf(out))).rejects.toMatchObject(
    {
      code: 'control_total_failed',
      message: 'control total clearing: expected 10.00, actual 12.30; the pack is withheld',
    },
  )
  expect(filesIn()).toEqual([])
})

test('a control total that passes with a difference withholds the pack', async () => {
  const control_totals = [
    { check: 'clearing', expected: '10.00', actual: '10.01', difference: '0.01', pass: 'true' },
  ]
  await expect(packFrom(sourceOf(worldOf({ control_totals })), aboutOf(out))).rejects.toMatchObject(
    {
      code: 'control_total_failed',
    },
  )
})

test('a control total that fails withholds the pack, even with a difference of zero', async () => {
  const control_totals = [
    { check: 'clearing', expected: '10.00', actual: '10.00', difference: '0.00', pass: 'false' },
  ]
  await expect(packFrom(sourceOf(worldOf({ control_totals })), aboutOf(out))).rejects.toMatchObject(
    {
      code: 'control_total_failed',
    },
  )
})

test('a run without control totals publishes no pack', async () => {
  const source = sourceOf(worldOf({ control_totals: [] }))
  await expect(packFrom(source, aboutOf(out))).rejects.toMatchObject({ code: 'bug' })
})

const BROKEN: [string, string, Record<string, Row[]>][] = [
  [
    'an amount with three decimals',
    'reportedNet: not a money',
    { settlements: [settlement({ reportedNet: '1.234' })] },
  ],
  [
    'a negative zero',
    'difference: not a money',
    { settlements: [settlement({ difference: '-0.00' })] },
  ],
  ['a missing id', 'settlementId: empty', { settlements: [settlement({ settlementId: null })] }],
  [
    'an instant without a zone',
    'created: not a instant',
    { settlements: [settlement({ created: '2026-03-02 08:00:00' })] },
  ],
  [
    'an unguarded formula in a name',
    'terminalName: not a text',
    { settlements: [settlement({ terminalName: '=1+1' })] },
  ],
  [
    'a formula in a code',
    'status: not a word',
    { settlements: [settlement({ status: '@SUM(A1)' })] },
  ],
  [
    'a difference that is not computed less reported',
    'difference is not the sum',
    { settlements: [settlement({ computedNet: '130.01' })] },
  ],
  [
    'explained and unexplained that do not make the difference',
    'difference is not the sum',
    { settlements: [settlement({ explainedAmount: '0.01' })] },
  ],
  [
    'a journal out of balance',
    'totals of debit and credit that differ',
    { journal: [journalLine({ debit: '0.01' })] },
  ],
]
test.each(BROKEN)('%s withholds the pack', async (_, message, world) => {
  await expect(packFrom(sourceOf(worldOf(world)), aboutOf(out))).rejects.toMatchObject({
    code: 'invariant_broken',
    message: expect.stringContaining(message),
  })
  expect(filesIn()).toEqual([])
})

test('the message of an invariant never repeats a cell', async () => {
  const source = sourceOf(worldOf({ settlements: [settlement({ terminalName: '=Ana Moss' })] }))
  const error: unknown = await packFrom(source, aboutOf(out)).catch((cause: unknown) => cause)
  expect(String(error)).toContain('terminalName')
  expect(String(error)).not.toContain('Moss')
})

test('text with quotes, commas and line ends counts as one cell of one row', async () => {
  const tricky = settlement({ terminalName: 'a "b", c\r\nd' })
  const source = sourceOf(worldOf({ settlements: [tricky, settlement({ settlementId: '902' })] }))
  const folder = await packFrom(source, aboutOf(out))
  expect(manifestIn(folder).files[0].rows).toBe(2)
})

test('a file that lost a row on its way to the disk withholds the pack', async () => {
  const honest = sourceOf(worldOf())
  const source: PackSource = {
    ...honest,
    writeCsv: async (table, file) => ({ rows: (await honest.writeCsv(table, file)).rows + 1 }),
  }
  await expect(packFrom(source, aboutOf(out))).rejects.toMatchObject({ code: 'invariant_broken' })
})

test('a file with its columns in another order withholds the pack', async () => {
  const source: PackSource = {
    ...sourceOf(worldOf()),
    writeCsv: (_, file) => {
      writeFileSync(file, 'settlementId,account\r\n')
      return Promise.resolve({ rows: 0 })
    },
  }
  await expect(packFrom(source, aboutOf(out))).rejects.toMatchObject({
    message: expect.stringContaining('a wrong header'),
  })
})

test('a run that fails half-way publishes no pack, moves nothing and leaves nothing', async () => {
  await packFrom(sourceOf(worldOf()), aboutOf(out))
  const before = everything()
  const source: PackSource = {
    ...sourceOf(worldOf()),
    writeCsv: (table, file) =>
      table === 'pending'
        ? Promise.reject(new Error('disk gone'))
        : sourceOf(worldOf()).writeCsv(table, file),
  }
  await expect(packFrom(source, aboutOf(out, { runId: 'run-2' }))).rejects.toThrow('disk gone')
  expect(everything()).toEqual(before)
})

test('a cancelled run publishes no pack, however much of it is written', async () => {
  const gaveUp = new AbortController()
  const source = sourceOf(worldOf())
  const rows: PackSource['rows'] = (table) => {
    gaveUp.abort(new Error('interrupted'))
    return source.rows(table)
  }
  await expect(packFrom({ ...source, rows }, aboutOf(out), gaveUp.signal)).rejects.toThrow(
    'interrupted',
  )
  expect(filesIn()).toEqual([])
})

test('a reader who looks at every step sees the whole pack or none', async () => {
  const seen = new Set<string>()
  const look = () => seen.add(existsSync(out) ? visible().join(' ') : '')
  const visible = () => {
    const range = join(out, 'demo', '2026-02-01_2026-03-01')
    return existsSync(range) ? readdirSync(range).filter((name) => !name.startsWith('.')) : []
  }
  const honest = sourceOf(worldOf())
  const source: PackSource = {
    writeCsv: async (table, file) => {
      look()
      const written = await honest.writeCsv(table, file)
      look()
      return written
    },
    rows: (table) => {
      look()
      return honest.rows(table)
    },
    batches: (table) => {
      look()
      return honest.batches(table)
    },
  }
  await packFrom(source, aboutOf(out))
  expect([...seen]).toEqual([''])
  expect(visible()).toEqual(['run-1'])
})

test('a file or folder of another program in the place of latest ends the attempt before it writes', async () => {
  const latest = join(out, 'demo', 'latest')
  mkdirSync(latest, { recursive: true })
  const failure = { code: 'would_overwrite', message: `${latest} is not a link that tieout made` }
  await expect(packFrom(sourceOf(worldOf()), aboutOf(out))).rejects.toMatchObject(failure)
  rmSync(latest, { recursive: true })
  writeFileSync(latest, 'a note')
  await expect(packFrom(sourceOf(worldOf()), aboutOf(out))).rejects.toMatchObject(failure)
  expect([everything(), read(latest)]).toEqual([['demo', 'demo/latest'], 'a note'])
})

test('an existing pack is never overwritten, whatever the new one has', async () => {
  const folder = await packFrom(sourceOf(worldOf()), aboutOf(out))
  const before = read(join(folder, 'manifest.json'))
  const other = aboutOf(out, { knownAt: '43' })
  await expect(packFrom(sourceOf(worldOf()), other)).rejects.toMatchObject({
    code: 'would_overwrite',
  })
  expect(read(join(folder, 'manifest.json'))).toBe(before)
})

test('a second attempt at a published run finds its pack and changes nothing', async () => {
  const folder = await packFrom(sourceOf(worldOf()), aboutOf(out))
  const before = statSync(join(folder, 'manifest.json')).mtimeMs
  expect(await packFrom(sourceOf(worldOf()), aboutOf(out))).toBe(folder)
  expect(statSync(join(folder, 'manifest.json')).mtimeMs).toBe(before)
})

test('two simultaneous attempts at one run end in one whole pack', async () => {
  const attempts = await Promise.allSettled([
    packFrom(sourceOf(worldOf()), aboutOf(out)),
    packFrom(sourceOf(worldOf()), aboutOf(out)),
  ])
  expect(attempts.some(({ status }) => status === 'fulfilled')).toBe(true)
  const range = join(out, 'demo', '2026-02-01_2026-03-01')
  expect(readdirSync(range)).toEqual(['run-1'])
  for (const { name, sha256 } of manifestIn(join(range, 'run-1')).files) {
    const content = readFileSync(join(range, 'run-1', name))
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  }
})

test.each([0, 0o22, 0o77, 0o177])(
  'files are for their owner only if new files lose the rights %o',
  async (umask) => {
    const before = process.umask(umask)
    try {
      await packFrom(sourceOf(worldOf()), aboutOf(join(out, 'packs')))
    } finally {
      process.umask(before)
    }
    const paths = everything()
    expect(paths.length).toBeGreaterThan(15)
    for (const path of paths) {
      const stat = statSync(join(out, path))
      expect([path, (stat.mode & 0o777).toString(8)]).toEqual([path, stat.isFile() ? '600' : '700'])
    }
  },
)

test.each([
  [0o000, 0o640, '640', '750'],
  [0o077, 0o640, '640', '750'],
  [0o027, 0o664, '664', '775'],
])('under the umask %o a pack of mode %o is read by those whom the mode names', async (...how) => {
  const [umask, packMode, ...modes] = how
  const before = process.umask(umask)
  let folder = ''
  try {
    folder = await packFrom(sourceOf(worldOf()), aboutOf(join(out, 'new'), { packMode }))
  } finally {
    process.umask(before)
  }
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const inPack = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const path of inPack.map((name) => join(folder, name))) {
    expect([path, modeOf(path)]).toEqual([path, modes[statSync(path).isDirectory() ? 1 : 0]])
  }
  for (let made = folder; made !== out; made = join(made, '..')) {
    expect([made, modeOf(made)]).toEqual([made, modes[1]])
  }
})

const act = {
  ...{ kind: 'approve' as const, account: 'demo', actor: 'Ben', runId: 'run-1' },
  ...{ manifestSha256: 'f00d', preparedBy: 'Ada', reason: 'reviewed' },
}
const acted = { seq: '1', sha256: 'f00d', actor: 'Ben', actedAt: '2026-03-03', wasSo: false }

test('approval.json has the mode of the pack', async () => {
  for (const fileMode of [0o640, undefined]) {
    expect(await writeApproval({ folder: out, fileMode }, act, acted)).toBe(true)
    const { mode } = statSync(join(out, 'approval.json'))
    expect((mode & 0o777).toString(8)).toBe(fileMode === undefined ? '600' : '640')
  }
  expect(await writeApproval({ folder: join(out, 'gone') }, act, acted)).toBe(false)
  expect(everything()).toEqual(['approval.json'])
})

test('an approval on a full disk leaves no file in the pack or beside it, and is written once there is room', async (context) => {
  const disk = smallDisk(context, '64k')
  const pack = join(disk, 'run-1')
  mkdirSync(pack)
  const filler = join(disk, 'filler')
  expect(() => writeFileSync(filler, Buffer.alloc(1 << 20))).toThrow('ENOSPC')
  expect(await writeApproval({ folder: pack }, act, acted)).toBe(false)
  expect(readdirSync(disk, { recursive: true }).sort()).toEqual(['filler', 'run-1'])
  rmSync(filler)
  expect(await writeApproval({ folder: pack }, act, acted)).toBe(true)
  expect(await readApproval(pack, 'f00d')).toMatchObject({ approvedBy: 'Ben' })
})

test('an output folder where no folder can be made is refused at once', async () => {
  await expect(packFrom(sourceOf(worldOf()), aboutOf('/proc/nope/out'))).rejects.toMatchObject({
    code: 'config_invalid',
    message:
      "the output folder /proc/nope/out can't be written: there is no such file or folder (ENOENT)",
  })
})

test('an existing output folder keeps its own rights', async () => {
  chmodSync(out, 0o755)
  await packFrom(sourceOf(worldOf()), aboutOf(out))
  expect((statSync(out).mode & 0o777).toString(8)).toBe('755')
})

const NAMES = [
  '',
  '.',
  '..',
  '../up',
  'a/b',
  'a\\b',
  '/etc',
  '.hidden',
  '-x',
  'a\0b',
  'a b',
  'é',
  'x'.repeat(81),
]
test.each(NAMES)('an account or a run named %j writes nowhere', async (name) => {
  for (const bad of [{ account: name }, { runId: name }]) {
    const attempt = packFrom(sourceOf(worldOf()), aboutOf(out, bad))
    await expect(attempt).rejects.toMatchObject({ code: 'config_invalid' })
  }
  expect(everything()).toEqual([])
})

test('a range that is no date writes nowhere', async () => {
  const window = { from: '..', to: '2026-03-01' }
  const attempt = packFrom(sourceOf(worldOf()), aboutOf(out, { window }))
  await expect(attempt).rejects.toMatchObject({ code: 'config_invalid' })
})

test('an account’s folder that is a link elsewhere is refused', async () => {
  mkdirSync(join(out, 'elsewhere'))
  symlinkSync('elsewhere', join(out, 'demo'))
  await expect(packFrom(sourceOf(worldOf()), aboutOf(out))).rejects.toMatchObject({
    code: 'config_invalid',
  })
  expect(readdirSync(join(out, 'elsewhere'))).toEqual([])
})

test('an output folder that is a file is reported as a wrong setting', async () => {
  writeFileSync(join(out, 'file'), '')
  const attempt = packFrom(sourceOf(worldOf()), aboutOf(join(out, 'file')))
  await expect(attempt).rejects.toMatchObject({
    code: 'config_invalid',
    remedy: 'choose another --out',
  })
})

test('files of a killed run are removed after a day, and files that may still be written stay', async () => {
  const range = join(out, 'demo', '2026-01-01_2026-02-01')
  mkdirSync(join(range, '.dead.00000000.partial'), { recursive: true })
  mkdirSync(join(range, '.alive.00000000.partial'))
  const longAgo = Date.now() / 1000 - 2 * 86_400
  utimesSync(join(range, '.dead.00000000.partial'), longAgo, longAgo)
  await packFrom(sourceOf(worldOf()), aboutOf(out))
  expect(readdirSync(range)).toEqual(['.alive.00000000.partial'])
})

test('files of a killed attempt are removed once another attempt publishes the run', async () => {
  const range = join(out, 'demo', '2026-02-01_2026-03-01')
  mkdirSync(join(range, '.run-1.00000000.partial'), { recursive: true })
  mkdirSync(join(range, '.run-10.00000000.partial'))
  await packFrom(sourceOf(worldOf()), aboutOf(out))
  expect(readdirSync(range).sort()).toEqual(['.run-10.00000000.partial', 'run-1'])
})

test('an attempt whose folder can not be removed does not undo the pack of the run', async (context) => {
  requireProgram(context, 'mount')
  const range = join(out, 'demo', '2026-02-01_2026-03-01')
  const other = join(range, '.run-1.00000000.partial')
  mkdirSync(other, { recursive: true })
  mount('-t', 'tmpfs', 'none', other)
  try {
    await packFrom(sourceOf(worldOf()), aboutOf(out))
    expect(readdirSync(range).sort()).toEqual(['.run-1.00000000.partial', 'run-1'])
  } finally {
    execFileSync('umount', [other])
  }
})

test('the excel profile marks each CSV as UTF-8 and changes nothing else', async () => {
  const plain = await packFrom(sourceOf(worldOf()), aboutOf(join(out, 'a')))
  const marked = await packFrom(
    sourceOf(worldOf()),
    aboutOf(join(out, 'b'), { csvProfile: 'excel' }),
  )
  for (const { name } of PACK_FILES) {
    expect(read(join(marked, name))).toBe(`\uFEFF${read(join(plain, name))}`)
  }
})
