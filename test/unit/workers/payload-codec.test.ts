import { ActivityFailure, ApplicationFailure, type Payload } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { REFUSED_ENCODING, REFUSED_PAYLOAD } from '../../../domain/refused-payload.ts'
import { Secret } from '../../../domain/settings.ts'
import { type Address, serviceOf } from '../../../workers/temporal/connect.ts'
import { EncryptingCodec } from '../../../workers/temporal/payload-codec.ts'
import { failureConverter, payloadConverter } from '../../../workers/temporal/convert-payloads.ts'
import { dataConverter } from '../../../workers/temporal/data-converter.ts'
import { isRefused, payloadConverter as inWorkflows } from '../../../workflows/data-converter.ts'

const workflow = (workflowId: string) => ({
  ...{ type: 'workflow' as const, namespace: 'default', workflowId },
})
const NIGHT = workflow('nightly-acme-2026-11-25T04:00:00Z')
const codecOf = (key: string, lake?: string) => new EncryptingCodec(new Secret(key), () => {}, lake)
const codec = codecOf('the key of the lake')

async function encoded(value: unknown, context = NIGHT): Promise<Payload> {
  const [payload] = await codec.encode([payloadConverter.toPayload(value)], context)
  return payload ?? {}
}

async function read(payload: Payload, context = NIGHT, reader = codec): Promise<unknown> {
  const [plain] = await reader.decode([payload], context)
  return payloadConverter.fromPayload(plain ?? {})
}

test('a payload comes back as it was, and shows nothing of itself on the way', async () => {
  const value = { actor: 'Ada Lovelace', reason: 'signed off', out: '/srv/books' }
  const payload = await encoded(value)
  expect(Buffer.from(payload.data ?? []).toString('latin1')).not.toMatch(/Ada|signed|srv/)
  expect(await read(payload)).toEqual(value)
  expect(await encoded(value)).not.toEqual(payload)
})

test('the same workflow of a schedule opens it, whatever time its id carries', async () => {
  const payload = await encoded([1], workflow('nightly-acme'))
  await expect(read(payload, NIGHT)).resolves.toEqual([1])
})

describe('refused with a stable code', () => {
  const forged: Record<string, () => Promise<unknown>> = {
    'a plain payload': () => read(payloadConverter.toPayload({ actor: 'the CFO' })),
    'a payload of another key': async () =>
      read(await encoded('x'), NIGHT, codecOf('the key of an attacker')),
    'a payload of another workflow': async () => read(await encoded('x', workflow('books/acme'))),
    'a payload of another lake with the same key': async () =>
      read(await encoded('x'), NIGHT, codecOf('the key of the lake', 's3://other/lake')),
    'a changed byte': async () => {
      const payload = await encoded('x')
      const data = Buffer.from(payload.data ?? [])
      data.writeUInt8(data.readUInt8(20) ^ 1, 20)
      return read({ ...payload, data })
    },
  }
  test.each(Object.keys(forged))('%s', async (name) => {
    await expect(forged[name]?.()).rejects.toMatchObject({ type: 'payload_refused' })
  })

  test('a payload that is cut anywhere, or that has nothing at all', async () => {
    const payload = await encoded('x')
    const data = Buffer.from(payload.data ?? [])
    for (let length = 0; length < data.length; length += 1) {
      await expect(
        read({ ...payload, data: data.subarray(0, length) }),
        `${length} bytes`,
      ).rejects.toMatchObject({ type: 'payload_refused' })
    }
    await expect(read({})).rejects.toMatchObject({ type: 'payload_refused' })
  })
})

describe('the worker reports', () => {
  /** Reads plain payloads of these workflows, and returns the lines. */
  async function reported(...ids: (string | undefined)[]): Promise<string[]> {
    const lines: string[] = []
    const reader = new EncryptingCodec(new Secret('a key'), (line) => lines.push(line))
    for (const id of ids) {
      await reader.decode([payloadConverter.toPayload('Ada')], id === undefined ? id : workflow(id))
    }
    return lines
  }

  test('each workflow with a refused payload once, with the remedy', async () => {
    const lines = await reported('books/acme', 'books/acme', 'nightly-acme', undefined)
    expect(lines.map((line) => /, in (.*); next: /.exec(line)?.[1])).toEqual([
      'books/acme',
      'nightly-acme',
      'a workflow',
    ])
    expect(lines[0]).toMatch(
      /^error payload_refused: .* not encrypted with this lake's key, .*; next: set the same TIEOUT_PAYLOAD_KEY/,
    )
    expect(lines.join()).not.toContain('Ada')
  })

  test('at most a hundred of them', async () => {
    const ids = Array.from({ length: 120 }, (_, place) => `w-${place}`)
    expect(await reported(...ids)).toHaveLength(100)
  })
})

test('a payload of no workflow opens without one, and in no workflow', async () => {
  const [payload = {}] = await codec.encode([payloadConverter.toPayload('x')])
  const [plain = {}] = await codec.decode([payload])
  expect(payloadConverter.fromPayload(plain)).toBe('x')
  await expect(read(payload)).rejects.toMatchObject({ type: 'payload_refused' })
})

test('a namespace without a workflow is an owner, too', async () => {
  const schedule = { type: 'activity' as const, namespace: 'default', isLocal: false }
  const [payload = {}] = await codec.encode([payloadConverter.toPayload('x')], schedule)
  const [plain = {}] = await codec.decode([payload], schedule)
  expect(payloadConverter.fromPayload(plain)).toBe('x')
  await expect(read(payload)).rejects.toMatchObject({ type: 'payload_refused' })
})

test('commands and workers get the codec, and both converters from one file', async () => {
  const { payloadCodecs, ...paths } = dataConverter({ payloadKey: new Secret('a key') })
  expect(payloadCodecs).toEqual([expect.any(EncryptingCodec)])
  const [refused] = (await payloadCodecs?.[0]?.decode([{}])) ?? []
  expect(isRefused(refused ?? {})).toBe(true)
  expect(Object.values(paths)).toEqual([
    expect.stringMatching(/convert-payloads\.js$/),
    expect.stringMatching(/convert-payloads\.js$/),
  ])
})

test('on a shared service a payload opens only for the lake whose data it names; an embedded one has one lake', async () => {
  const shared = { isShared: true, connection: {}, namespace: 'default' }
  const embedded = { ...shared, isShared: false }
  const opens = async (address: Address, [from, to]: [string, string]) => {
    const key = new Secret('a key')
    const codecs = [from, to].map((data) => {
      const lake = { catalog: '', data, folder: '', memoryLimit: '', threads: 1 }
      return dataConverter(serviceOf(address, lake, key)).payloadCodecs?.[0]
    })
    const sent = await codecs[0]?.encode([payloadConverter.toPayload('x')], NIGHT)
    const [read] = (await codecs[1]?.decode(sent ?? [], NIGHT)) ?? []
    return !isRefused(read ?? {})
  }
  expect(await opens(shared, ['s3://a/lake', 's3://a/lake/'])).toBe(true)
  expect(await opens(shared, ['s3://a/lake', 's3://b/lake'])).toBe(false)
  expect(await opens(shared, ['s3://a/lake', '/srv/data/parquet'])).toBe(false)
  // A folder may be mounted elsewhere on another machine.
  expect(await opens(shared, ['/srv/data/parquet', '/mnt/data/parquet'])).toBe(true)
  expect(await opens(embedded, ['s3://a/lake', 's3://b/lake'])).toBe(true)
})

test('a workflow gets a refused payload as a mark, because an exception in it would never end', () => {
  const refused: Payload = { metadata: { encoding: Buffer.from(REFUSED_ENCODING) } }
  expect(inWorkflows.fromPayload(refused)).toBe(REFUSED_PAYLOAD)
  expect(inWorkflows.fromPayload(inWorkflows.toPayload({ a: 1 }))).toEqual({ a: 1 })
  expect(isRefused({})).toBe(false)
})

test('the message of a failure is a payload too', () => {
  const failure = failureConverter.errorToFailure(
    ApplicationFailure.nonRetryable('the period of Ada is closed', 'period_closed'),
    payloadConverter,
  )
  expect(failure).toMatchObject({
    message: 'Encoded failure',
    stackTrace: '',
    applicationFailureInfo: { type: 'period_closed' },
  })
  const back = failureConverter.failureToError(failure, payloadConverter)
  expect(back).not.toBeInstanceOf(ActivityFailure)
  expect(back.message).toBe('the period of Ada is closed')
})
