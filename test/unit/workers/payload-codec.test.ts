import { ActivityFailure, ApplicationFailure, type Payload } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../domain/settings.ts'
import { EncryptingCodec } from '../../../workers/temporal/payload-codec.ts'
import { failureConverter, payloadConverter } from '../../../workers/temporal/convert-payloads.ts'

const workflow = (workflowId: string) => ({
  ...{ type: 'workflow' as const, namespace: 'default', workflowId },
})
const NIGHT = workflow('nightly-acme-2026-11-25T04:00:00Z')
const said: string[] = []
const codecOf = (key: string) => new EncryptingCodec(new Secret(key), (line) => said.push(line))
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
  expect(await read(payload, NIGHT)).toEqual([1])
})

describe('refused with a stable code', () => {
  const forged: Record<string, () => Promise<unknown>> = {
    'a plain payload': () => read(payloadConverter.toPayload({ actor: 'the CFO' })),
    'a payload of another key': async () =>
      read(await encoded('x'), NIGHT, codecOf('the key of an attacker')),
    'a payload of another workflow': async () => read(await encoded('x', workflow('books/acme'))),
    'a changed byte': async () => {
      const payload = await encoded('x')
      const data = Buffer.from(payload.data ?? [])
      data.writeUInt8(data.readUInt8(20) ^ 1, 20)
      return read({ ...payload, data })
    },
    'a payload that is cut': async () => {
      const payload = await encoded('x')
      return read({ ...payload, data: Buffer.from(payload.data ?? []).subarray(0, 20) })
    },
  }
  test.each(Object.keys(forged))('%s', async (name) => {
    await expect(forged[name]?.()).rejects.toMatchObject({ type: 'payload_refused' })
  })

  test('and the worker says so once for each workflow', () => {
    expect(said).toHaveLength(2)
    expect(said[0]).toEqual(
      expect.stringMatching(
        /^error payload_refused: .* not encrypted with this lake's key, in nightly-acme-\S+; next: set the same TIEOUT_PAYLOAD_KEY/,
      ),
    )
  })
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
