/** The conversion and encryption of everything that commands and workers hand to Temporal. */
import type { DataConverter } from '@temporalio/common'
import { fileURLToPath } from 'node:url'
import type { Service } from './connect.ts'
import { EncryptingCodec } from './payload-codec.ts'

const CONVERTERS = fileURLToPath(new URL('convert-payloads.js', import.meta.url))

/** `say` receives a line for each workflow that holds a payload of another key or lake. */
export const dataConverter = (
  { payloadKey, data }: Pick<Service, 'data' | 'payloadKey'>,
  say: (line: string) => void = () => {},
): DataConverter => ({
  payloadConverterPath: CONVERTERS,
  failureConverterPath: CONVERTERS,
  payloadCodecs: [new EncryptingCodec(payloadKey, say, data)],
})
