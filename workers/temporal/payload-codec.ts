/**
 * The encryption of everything that Temporal stores of a run: AES-256-GCM with a key that the server
 * doesn't know. A payload opens only in the workflow that it was made for.
 */
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common'
import proto from '@temporalio/proto'
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { printable } from '../../api/record/excerpt.ts'
import type { Secret } from '../../domain/settings.ts'
import { PAYLOAD_REFUSED, REFUSED_ENCODING } from '../../domain/refused-payload.ts'

const CIPHER = 'aes-256-gcm'
const ENCODING = 'binary/encrypted'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Enough to see an attack, and too few to fill a log. */
const MOST_REPORTED = 100

/** A schedule starts its workflow under its own id with the time of the start behind it. */
const START_TIME = /-\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/

const { Payload: PayloadMessage } = proto.temporal.api.common.v1

/**
 * Encrypts each payload. A payload that doesn't decrypt comes back as a refused one, without data. `lake` names the lake
 * among those that use the same service; only its own processes open its payloads.
 */
export class EncryptingCodec implements PayloadCodec {
  readonly #key: KeyObject
  /** Tells a person which key a payload needs; it reveals nothing of the key. */
  readonly #keyId: Buffer

  readonly #say: (line: string) => void
  readonly #lake: string
  /** Workflows with a refused payload, each reported once. */
  readonly #reported = new Set<string>()

  constructor(secret: Secret, say: (line: string) => void, lake = '') {
    this.#say = say
    this.#lake = lake
    const key = Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'tieout payloads', 32))
    this.#key = createSecretKey(key)
    this.#keyId = Buffer.from(hash('sha256', key).slice(0, 8))
  }

  encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.resolve(payloads.map((payload) => this.#encrypted(payload, context)))
  }

  decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.resolve(payloads.map((payload) => this.#decrypted(payload, context)))
  }

  #encrypted(payload: Payload, context: SerializationContext | undefined): Payload {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(this.#ownerOf(context))
    const plain = PayloadMessage.encode(payload).finish()
    const data = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    return {
      metadata: { encoding: Buffer.from(ENCODING), 'encryption-key-id': this.#keyId },
      data,
    }
  }

  #decrypted(payload: Payload, context: SerializationContext | undefined): Payload {
    const encoding = Buffer.from(payload.metadata?.['encoding'] ?? []).toString()
    const data = Buffer.from(payload.data ?? [])
    if (encoding !== ENCODING || data.length < NONCE_BYTES + TAG_BYTES)
      return this.#refused(context)
    const decipher = createDecipheriv(CIPHER, this.#key, data.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(this.#ownerOf(context)).setAuthTag(data.subarray(-TAG_BYTES))
    try {
      const ciphertext = data.subarray(NONCE_BYTES, -TAG_BYTES)
      return PayloadMessage.decode(Buffer.concat([decipher.update(ciphertext), decipher.final()]))
    } catch {
      return this.#refused(context)
    }
  }

  /** The workflow and the lake that a payload belongs to, so that it can't be played to others. */
  #ownerOf(context: SerializationContext | undefined): Buffer {
    const workflow = (context?.workflowId ?? '').replace(START_TIME, '')
    const owner = context === undefined ? '' : `${context.namespace}/${workflow}`
    return Buffer.from(this.#lake === '' ? owner : `${owner} of ${this.#lake}`)
  }

  #refused(context: SerializationContext | undefined): Payload {
    const workflow = context?.workflowId ?? 'a workflow'
    if (!this.#reported.has(workflow) && this.#reported.size < MOST_REPORTED) {
      this.#reported.add(workflow)
      const { code, what, remedy } = PAYLOAD_REFUSED
      this.#say(`error ${code}: ${what}, in ${printable(workflow, 80)}; next: ${remedy}`)
    }
    return REFUSED
  }
}

const REFUSED: Payload = { metadata: { encoding: Buffer.from(REFUSED_ENCODING) } }
