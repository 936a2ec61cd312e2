/** The objects of a store, by their whole addresses. Loads Amazon's library when it is first needed. */
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type * as Library from '#libraries/aws'
import type { PutObjectCommand, S3Client } from '#libraries/aws'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { bucketAndKey } from '../../domain/object-address.ts'
import type { ObjectStore } from '../../domain/settings.ts'
import { SILENT_LOGGER } from '../../domain/silent-logger.ts'
import { storeErrorOf, storeFailure } from './store-failure.ts'

const CONNECT_MS = 10_000
const SILENT_MS = 60_000

export interface HashedFile {
  path: string
  /** In hexadecimal digits. */
  sha256: string
}

export interface PutOptions {
  isNew?: boolean
  signal?: AbortSignal | undefined
}

export async function openBucket(store: ObjectStore): Promise<Bucket> {
  return new Bucket(await import('#libraries/aws'), store)
}

/** Every method throws store_unreachable. */
export class Bucket {
  readonly #aws: typeof Library
  readonly #client: S3Client

  constructor(aws: typeof Library, store: ObjectStore) {
    this.#aws = aws
    this.#client = new aws.S3Client(clientOptions(store))
  }

  /** Opens the content of an object. */
  read(address: string): Promise<Readable> {
    return withFailure(address, () => this.#content(address))
  }

  /** Returns the text; undefined if there is no such object. A longer one ends after `most_bytes`. */
  text(address: string, most_bytes = MOST_TEXT_BYTES): Promise<string | undefined> {
    return withFailure(address, () =>
      unlessMissing(async () => startOf(await this.#content(address), most_bytes)),
    )
  }

  /** Returns the hash that `putFile` gave the object, empty if it has none; undefined without an object. */
  hashOf(address: string): Promise<string | undefined> {
    return withFailure(address, () =>
      unlessMissing(async () => {
        const command = new this.#aws.HeadObjectCommand(named(address))
        return (await this.#client.send(command)).Metadata?.['sha256'] ?? ''
      }),
    )
  }

  /** Writes a small object. With `isNew`, returns false and writes nothing if there is one already. */
  putText(address: string, text: string, how?: PutOptions): Promise<boolean> {
    return this.#put(address, { Body: text }, how)
  }

  async putFile(address: string, file: HashedFile, how?: PutOptions): Promise<boolean> {
    const { path, sha256 } = file
    const about = { ContentLength: (await stat(path)).size, Metadata: { sha256 } }
    return this.#put(address, { ...about, Body: createReadStream(path) }, how)
  }

  /** Copies an object into a new file for its owner alone. */
  async getFile(address: string, path: string): Promise<void> {
    const content = await this.read(address)
    try {
      await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    } catch (error) {
      throw new Failure('store_unreachable', `${address} can't be copied: ${reasonOf(error)}`)
    }
    await chmod(path, 0o600)
  }

  /** Yields the keys below an address, relative to it. */
  async *list(address: string): AsyncGenerator<string> {
    const { bucket, key } = bucketAndKey(address)
    const below = { Bucket: bucket, Prefix: `${key}/` }
    let next: string | undefined
    do {
      const from = next === undefined ? {} : { ContinuationToken: next }
      const command = new this.#aws.ListObjectsV2Command({ ...below, ...from })
      const page = await withFailure(address, () => this.#client.send(command))
      for (const { Key = '' } of page.Contents ?? []) yield Key.slice(below.Prefix.length)
      next = page.NextContinuationToken
    } while (next !== undefined)
  }

  async remove(address: string): Promise<void> {
    const command = new this.#aws.DeleteObjectCommand(named(address))
    await withFailure(address, () => this.#client.send(command))
  }

  close(): void {
    this.#client.destroy()
  }

  async #content(address: string): Promise<Readable> {
    const command = new this.#aws.GetObjectCommand(named(address))
    return readable((await this.#client.send(command)).Body)
  }

  #put(address: string, input: PutInput, how: PutOptions = {}): Promise<boolean> {
    return withFailure(address, () =>
      unlessThere(() => {
        const condition = how.isNew === true ? { IfNoneMatch: '*' } : {}
        const command = new this.#aws.PutObjectCommand({
          ...named(address),
          ...input,
          ...condition,
        })
        if (input.Metadata !== undefined) signWith(command, input.Metadata['sha256'])
        const stop = how.signal === undefined ? {} : { abortSignal: how.signal }
        return this.#client.send(command, stop)
      }),
    )
  }
}

async function withFailure<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeFailure(error, address)
  }
}

interface PutInput {
  Body: Readable | string
  ContentLength?: number
  Metadata?: Record<string, string>
}

const MOST_TEXT_BYTES = 16_000_000

function clientOptions({ endpoint, region, keys }: ObjectStore) {
  return {
    region,
    // A private store has no host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials: async () => {
      const { keyId, secretKey, sessionToken, expiresAt_ms } = await keys()
      return {
        accessKeyId: keyId.reveal(),
        secretAccessKey: secretKey.reveal(),
        ...(sessionToken === undefined ? {} : { sessionToken: sessionToken.reveal() }),
        ...(expiresAt_ms === undefined ? {} : { expiration: new Date(expiresAt_ms) }),
      }
    },
    // Other stores than Amazon's don't know the newer checksums. The signature covers the content.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
    logger: SILENT_LOGGER,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  }
}

function named(address: string): { Bucket: string; Key: string } {
  const { bucket, key } = bucketAndKey(address)
  return { Bucket: bucket, Key: key }
}

/** Signs the hash that is known, so that a stream is read once and the store checks what arrived. */
function signWith(command: PutObjectCommand, sha256 = ''): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { request } = args
      if (hasHeaders(request)) request.headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build', name: 'signKnownHash' },
  )
}

const hasHeaders = (request: unknown): request is { headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request

async function unlessThere(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (storeErrorOf(error).status !== 412) throw error
    return false
  }
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (['NoSuchKey', 'NotFound'].includes(storeErrorOf(error).name)) return undefined
    throw error
  }
}

function readable(body: unknown): Readable {
  if (body instanceof Readable) return body
  throw new TypeError('the store sent no content')
}

async function startOf(body: unknown, most_bytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const content: AsyncIterable<Buffer> = readable(body)
  for await (const chunk of content) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > most_bytes) break
  }
  return Buffer.concat(chunks).toString('utf8')
}
