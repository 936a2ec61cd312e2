import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../../../domain/failure.ts'
import { manifestText } from '../../../reports/pack/manifest.ts'
import { parseManifest } from '../../../reports/pack/read-manifest.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import {
  aboutOf,
  packFrom,
  journalLine,
  settlement,
  sourceOf,
  worldOf,
} from '../../unit/reports/fake-source.ts'
import { newPlace } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const JOURNAL = [
  journalLine({ debit: '130.00' }),
  journalLine({ account: '1100', accountName: 'Clearing', credit: '130.00' }),
]
const total = (check: string, expected: string, actual = expected) => ({
  ...{ check, expected, actual },
  difference: '0.00',
  pass: 'true',
})

const publish = (more: Parameters<typeof worldOf>[0] = {}) =>
  packFrom(sourceOf(worldOf({ journal: JOURNAL, ...more })), aboutOf(tempFolder()))

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
}

test('a published pack is proved, also as a copy and through a link', async () => {
  const pack = await publish()
  const { files, manifest, proved } = await verifyPack(pack)
  expect([files, manifest.runId]).toEqual([filesIn(pack).length - 1, 'run-1'])
  expect(proved).toEqual([])
  const elsewhere = join(tempFolder(), 'mail')
  cpSync(pack, elsewhere, { recursive: true })
  symlinkSync('mail', join(elsewhere, '..', 'link'))
  expect((await verifyPack(join(elsewhere, '..', 'link'))).folder).toBe(elsewhere)
})

test('a changed bit is found in every file, at its first, middle and last byte, and the file is named', async () => {
  const pack = await publish()
  for (const name of filesIn(pack)) {
    const file = join(pack, name)
    const { size } = statSync(file)
    const before = readFileSync(file)
    for (const at of new Set([0, size >> 1, size - 1].filter((place) => place >= 0 && size > 0))) {
      flip(file, at)
      await expect(verifyPack(pack), `${name} at ${at}`).rejects.toMatchObject({
        code: 'pack_altered',
        message: expect.stringMatching(new RegExp(`^${name.replaceAll('.', '\\.')} `)),
      })
      writeFileSync(file, before)
    }
  }
  await verifyPack(pack)
})

test('no byte of the manifest can change unseen', async () => {
  const pack = await publish()
  const bytes = readFileSync(join(pack, 'manifest.json'))
  const isUnseen = (_: number, at: number): boolean => {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    try {
      parseManifest(changed)
      return true
    } catch (error) {
      if (error instanceof Failure && error.code === 'pack_altered') return false
      throw error
    }
  }
  expect([...bytes.keys()].filter(isUnseen)).toEqual([])
  expect(parseManifest(bytes).runId).toBe('run-1')
})

test('a file that is missing, was added, or became a link is found', async () => {
  const pack = await publish()
  const found = async (message: string) =>
    expect(verifyPack(pack)).rejects.toMatchObject({ code: 'pack_altered', message })
  writeFileSync(join(pack, 'note.txt'), '')
  await found('note.txt was added')
  rmSync(join(pack, 'note.txt'))
  mkdirSync(join(pack, 'more'))
  writeFileSync(join(pack, 'more', 'a.csv'), '')
  await found('more/a.csv was added')
  rmSync(join(pack, 'more'), { recursive: true })
  const file = join(pack, 'accounting', 'xero.csv')
  cpSync(file, join(pack, '..', 'xero.csv'))
  rmSync(file)
  await found('accounting/xero.csv is missing')
  symlinkSync('../../xero.csv', file)
  await found('accounting/xero.csv is not a file, perhaps a link')
  rmSync(join(pack, 'manifest.json'))
  await found('manifest.json is missing')
  await expect(verifyPack(join(pack, 'nowhere'))).rejects.toMatchObject({ code: 'usage' })
})

test('a pack that the system does not read is not called missing or altered', async () => {
  const pack = await publish()
  const answer = (path: string, reason: string) => ({
    code: 'usage',
    message: expect.stringMatching(`^${path} can't be read: .*\\(${reason}\\)$`),
  })
  const below = join(pack, 'settlements.csv', 'pack')
  await expect(verifyPack(below)).rejects.toMatchObject(answer(below, 'ENOTDIR'))
  const manifest = join(pack, 'manifest.json')
  rmSync(manifest)
  symlinkSync('manifest.json', manifest)
  await expect(verifyPack(pack)).rejects.toMatchObject(answer(manifest, 'ELOOP'))
})

test('a folder above a pack, and a file in it, are no pack, and the answer names the pack', async () => {
  const pack = await publish()
  const above = dirname(pack)
  const remedy = expect.stringContaining(pack)
  await expect(verifyPack(above)).rejects.toMatchObject({
    ...{ code: 'usage', message: `${above} is not a pack: it holds no manifest.json`, remedy },
  })
  const file = join(pack, 'settlements.csv')
  await expect(verifyPack(file)).rejects.toMatchObject({
    ...{ code: 'usage', message: `${file} is not a pack: it is a file`, remedy },
  })
  // A pack remains one, whatever is taken from it.
  rmSync(join(pack, 'manifest.json'))
  rmSync(file)
  await expect(verifyPack(pack)).rejects.toMatchObject({ code: 'pack_altered' })
})

test('a total that the CSVs contradict is found, though every hash agrees', async () => {
  const totals = [
    total('settlements of the range = settlements listed', '2'),
    total('attributions = computed nets', '260.00'),
  ]
  const pack = await publish({
    settlements: [settlement(), settlement({ settlementId: '901' })],
    control_totals: totals,
  })
  await expect(verifyPack(pack)).rejects.toMatchObject({
    code: 'control_total_failed',
    message: expect.stringContaining(
      'attributions = computed nets: listed as 260.00 and 260.00, the files give 260.00 and 0.00',
    ),
  })
})

test('a manifest rewritten with other totals contradicts the file', async () => {
  const pack = await publish()
  const file = join(pack, 'manifest.json')
  const { manifestSha256: _seal, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  manifest.controlTotals[0].actual = '151.00'
  writeFileSync(file, manifestText(manifest))
  await expect(verifyPack(pack)).rejects.toMatchObject({
    code: 'pack_altered',
    message: 'control_totals.csv differs from the totals in the manifest',
  })
})

test('a pack of another account than --account is refused, and the message names both', async () => {
  const pack = await publish()
  const place = newPlace({ TIEOUT_TIMEZONE: 'UTC' })
  const { account } = (await verifyPack(pack)).manifest
  for (const command of [
    ['verify', pack],
    ['prove', pack],
    ['approve', pack, '--by', 'Ben', '--prepared-by', 'Ada'],
  ]) {
    const { code, stderr } = await tieoutHere([...command, '--account', 'bolt'], place)
    expect([command[0], code, stderr]).toEqual([
      command[0],
      2,
      expect.stringContaining(`the pack is of account ${account}, and --account names bolt`),
    ])
  }
  expect((await tieoutHere(['verify', pack, '--account', account], place)).code).toBe(0)
})
