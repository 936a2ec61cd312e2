/** Broken variants of locks, of the codec of payloads and of their envelopes. */
import type { Mutant } from './mutant.ts'

const LOCK = 'workers/temporal/server-lock.ts'
const CODEC = 'workers/temporal/payload-codec.ts'
const ENVELOPE = 'domain/envelope.ts'
const ENVELOPES = 'workers/temporal/envelopes.ts'
const CLAIM = 'the claim to start a server'
const REFUSED = 'refused with a stable code'

const ofLock = (mutant: Omit<Mutant, 'file' | 'module'>): Mutant => ({
  ...mutant,
  module: LOCK,
  file: 'unit/workers/server-lock',
})
const ofCodec = (mutant: Omit<Mutant, 'file'>): Mutant => ({
  ...mutant,
  file: 'unit/workers/payload-codec',
})

const ofEnvelope = (mutant: Omit<Mutant, 'file'>): Mutant => ({
  ...mutant,
  file: 'unit/workers/envelopes',
})

export const LOCKS: readonly Mutant[] = [
  ofLock({
    from: 'lock.folder === identityOf(folder)',
    to: 'lock.folder !== undefined',
    title: 'a copy of the folder has no server, and a moved folder has its own',
  }),
  ...[
    {
      module: ENVELOPE,
      from: 'isWhole && purposes.includes(purpose)',
      to: 'isWhole',
      title: 'an activity refuses the order of another activity',
    },
    {
      module: ENVELOPE,
      from: '<= ORDER_VALID_MS',
      to: '< ORDER_VALID_MS',
      title: 'an activity accepts an order of five minutes before, and none older or later',
    },
    {
      module: ENVELOPE,
      from: 'Math.abs(arrivedAt_ms - issuedAt_ms)',
      to: 'arrivedAt_ms - issuedAt_ms',
      title: 'an activity accepts an order of five minutes before, and none older or later',
    },
    {
      module: ENVELOPE,
      from: 'others.length > 0 || ',
      to: '',
      title: 'an activity refuses an order with a further value',
    },
    {
      module: ENVELOPES,
      from: 'PURPOSE.answer(order.nonce)',
      to: "PURPOSE.answer('')",
      title: 'an activity gets the values of its order, and its answer names the order',
    },
  ].map(ofEnvelope),
  ...[
    {
      from: '(await isOpen(lock.port)) ? lock : undefined',
      to: 'lock',
      title: 'a server that lives but does not listen is no server',
    },
    {
      from: "flag: 'wx'",
      to: "flag: 'w'",
      title: `${CLAIM} belongs to one at a time, and goes on to the next`,
    },
    {
      from: 'if (isAbandoned(file)) rmSync(file, { force: true })',
      to: 'rmSync(file, { force: true })',
      title: `${CLAIM} belongs to one at a time, and goes on to the next`,
    },
    {
      from: 'return !isAlive(Number(holder), mark)',
      to: 'return !isAlive(Number(holder), markOf(Number(holder)))',
      title: `${CLAIM} is taken over from another process than the one that has its number now`,
    },
    {
      from: 'Date.now() - mtimeMs > WRITTEN_MS',
      to: 'Date.now() !== mtimeMs',
      title: `${CLAIM} is taken over if its file is empty for long, and not at once`,
    },
  ].map(ofLock),
  {
    module: 'lake/connection/process-mark.ts',
    from: 'mark !== undefined && markOf(pid) === mark',
    to: 'mark !== undefined',
    file: 'unit/workers/server-lock',
    title:
      'a process with the same number and start, and with another command line, is another process',
  },
  {
    module: 'lake/landing/hash-key.ts',
    from: 'if (count === 0 || count === given) return count',
    to: 'if (count <= given) return count',
    file: 'unit/lake/hash-key',
    title: 'a lake with fewer keys than the ring is refused until it is rotated',
  },
  {
    module: 'lake/landing/hash-key.ts',
    from: 'if (count > 0) return count',
    to: 'if (count >= 0) return count',
    file: 'unit/lake/hash-key',
    title: 'a lake takes one key for each account and refuses another, and nothing lands',
  },
  ...[
    {
      module: CODEC,
      from: 'randomBytes(NONCE_BYTES)',
      to: 'Buffer.alloc(NONCE_BYTES)',
      title: 'a payload comes back as it was, and shows nothing of itself on the way',
    },
    {
      module: CODEC,
      from: ".replace(START_TIME, '')",
      to: '',
      title: 'the same workflow of a schedule opens it, whatever time its id carries',
    },
    {
      module: CODEC,
      from: 'const owner = context === undefined',
      to: 'const owner = context !== null',
      title: `${REFUSED} a payload of another workflow`,
    },
    {
      module: CODEC,
      from: "this.#lake === ''",
      to: "this.#lake !== '-'",
      title: `${REFUSED} a payload of another lake with the same key`,
    },
    {
      module: CODEC,
      from: 'if (encoding !== ENCODING ||',
      to: 'if (encoding !== ENCODING) return payload\n    if (',
      title: `${REFUSED} a plain payload`,
    },
    {
      module: CODEC,
      from: ' || data.length < NONCE_BYTES + TAG_BYTES',
      to: '',
      title: `${REFUSED} a payload that is cut anywhere, or that has nothing at all`,
    },
    {
      module: CODEC,
      from: 'decipher.update(ciphertext), decipher.final()',
      to: 'decipher.update(ciphertext)',
      title: `${REFUSED} a changed byte`,
    },
    {
      module: CODEC,
      from: '!this.#reported.has(workflow) && ',
      to: '',
      title: 'the worker reports each workflow with a refused payload once, with the remedy',
    },
    {
      module: CODEC,
      from: ' && this.#reported.size < MOST_REPORTED',
      to: '',
      title: 'the worker reports at most a hundred of them',
    },
    {
      module: 'workers/temporal/convert-payloads.ts',
      from: 'if (isRefused(payload)) throw payloadRefused()',
      to: '',
      title: `${REFUSED} a payload of another key`,
    },
    {
      module: 'workflows/data-converter.ts',
      from: 'encodeCommonAttributes: true',
      to: 'encodeCommonAttributes: false',
      title: 'the message of a failure is a payload too',
    },
  ].map(ofCodec),
]
