/** Broken variants of the pack, its check and its proof. */
import type { Mutant } from './mutant.ts'

const WRITE = 'reports/write-pack.ts'
const LEFTOVERS = 'domain/leftovers.ts'
const FOLDER = 'reports/pack/pack-folder.ts'
const CHECK = 'reports/pack/check-csv.ts'
const VERIFY = 'reports/verify-pack.ts'

const ofWriter = (mutant: Omit<Mutant, 'file'>): Mutant => ({
  ...mutant,
  file: 'unit/reports/pack',
})
const ofProof = (mutant: Omit<Mutant, 'file'>): Mutant => ({
  ...mutant,
  file: 'system/books/verify',
})

const ofStore = (mutant: Omit<Mutant, 'file'>): Mutant => ({
  ...mutant,
  file: 'unit/reports/store-pack',
})

const STORE = 'reports/store/store-target.ts'

export const PACK: readonly Mutant[] = [
  ...[
    {
      module: STORE,
      from: 'await bucket.putText(`${made.pack}/${MANIFEST}`, manifest, { isNew: true })',
      to: 'manifest.length > 0',
      title:
        'a pack has the bytes of one in a folder, manifest.json is written last, and only if there is none',
    },
    {
      module: STORE,
      from: '  if (!isFirst) throw exists(made.pack)\n',
      to: '',
      title: 'another pack of the run that is published before the manifest is not replaced',
    },
    {
      module: STORE,
      from: 'manifest, { isNew: true }',
      to: 'manifest',
      title: 'another pack of the run that is published before the manifest is not replaced',
    },
    {
      module: STORE,
      from: '  await refusePublished(bucket, made.pack)\n',
      to: '',
      title: 'another pack of the run that is published before the first file is not touched',
    },
    {
      module: WRITE,
      from: 'if (published === undefined) throw error',
      to: 'throw error',
      title:
        'a manifest that is refused leaves no pack; one whose answer is lost counts as published',
    },
    {
      module: STORE,
      from: 'if (name !== MANIFEST && !ours.has(name))',
      to: 'if (name === MANIFEST)',
      title: 'a file that fails leaves no manifest, and the next attempt publishes the whole pack',
    },
    {
      module: STORE,
      from: '  await bucket.remove(`${pack}/${MANIFEST}`)\n',
      to: '',
      title: 'a withdrawn pack loses its manifest first, and then everything',
    },
    {
      module: 'reports/store/local-copy.ts',
      from: "['', '.', '..'].includes(part)",
      to: "part === ''",
      title:
        'an object that was added or changed is found, and a name that leads out is not followed',
    },
  ].map(ofStore),
  ...[
    {
      module: WRITE,
      from: "row['pass'] !== 'true' || ",
      to: '',
      title: 'a control total that fails withholds the pack, even with a difference of zero',
    },
    {
      module: WRITE,
      from: " || !/^0(\\.0+)?$/.test(row['difference'] ?? '')",
      to: '',
      title: 'a control total that passes with a difference withholds the pack',
    },
    {
      module: WRITE,
      from: 'await rm(partial, { recursive: true, force: true })',
      to: '',
      title: 'a run that fails half-way publishes no pack, moves nothing and leaves nothing',
    },
    {
      module: WRITE,
      from: 'checked.rows !== rows',
      to: 'checked.rows > rows',
      title: 'a file that lost a row on its way to the disk withholds the pack',
    },
    {
      module: 'reports/pack/manifest.ts',
      from: '.every(([key, value])',
      to: '.some(([key, value])',
      title: 'an existing pack is never overwritten, whatever the new one has',
    },
    {
      module: CHECK,
      from: 'if (left !== 0n)',
      to: 'if (left > 0n)',
      title: 'a difference that is not computed less reported withholds the pack',
    },
    {
      module: CHECK,
      from: 'this.#total(left) !== this.#total(right)',
      to: 'this.#total(left) < this.#total(right)',
      title: 'a journal out of balance withholds the pack',
    },
    {
      module: 'reports/pack/pack-files.ts',
      from: 'money: /^(?!-0\\.00$)',
      to: 'money: /^',
      title: 'a negative zero withholds the pack',
    },
    {
      module: FOLDER,
      from: 'signal?.throwIfAborted()',
      to: '',
      title: 'a cancelled run publishes no pack, however much of it is written',
    },
    {
      module: LEFTOVERS,
      from: '?? Infinity) > DAY_MS',
      to: '?? Infinity) > -DAY_MS',
      title:
        'files of a killed run are removed after a day, and files that may still be written stay',
    },
    {
      module: LEFTOVERS,
      from: 'ATTEMPT = /^',
      to: 'ATTEMPT = /',
      title: 'files of a killed attempt are removed once another attempt publishes the run',
    },
    {
      module: FOLDER,
      from: '/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/',
      to: '/^[A-Za-z0-9._-]{1,80}$/',
      title: 'an account or a run named ".hidden" writes nowhere',
    },
  ].map(ofWriter),
  ...[
    {
      module: VERIFY,
      from: ' && sha256 === file.sha256',
      to: '',
      title:
        'a changed bit is found in every file, at its first, middle and last byte, and the file is named',
    },
    {
      module: VERIFY,
      from: "if (!listed.has(name)) throw altered(name, 'was added')",
      to: '',
      title: 'a file that is missing, was added, or became a link is found',
    },
    {
      module: VERIFY,
      from: "if (holds && expected === row['expected'] && actual === row['actual']) continue",
      to: 'if (holds || proof.actual) continue',
      title: 'a total that the CSVs contradict is found, though every hash agrees',
    },
    {
      module: VERIFY,
      from: 'JSON.stringify(listed) !== JSON.stringify(manifest.controlTotals)',
      to: 'listed.length !== manifest.controlTotals.length',
      title: 'a manifest rewritten with other totals contradicts the file',
    },
    {
      module: 'reports/pack/read-manifest.ts',
      from: 'Buffer.from(manifestText(content)).equals(bytes)',
      to: 'manifestText(content).length === bytes.length',
      title: 'no byte of the manifest can change unseen',
    },
  ].map(ofProof),
]
