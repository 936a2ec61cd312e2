/** The conversion and encryption of everything that commands and workers hand to Temporal. */
import type { DataConverter } from '@temporalio/common'
import { fileURLToPath } from 'node:url'
import type { Secret } from '../../domain/settings.ts'
import { EncryptingCodec } from './payload-codec.ts'

const CONVERTERS = fileURLToPath(new URL('convert-payloads.js', import.meta.url))

/** `say` receives a line for each workflow that holds a payload of another key. */
export const dataConverter = (
  payloadKey: Secret,
  say: (line: string) => void = () => {},
): DataConverter => ({
  payloadConverterPath: CONVERTERS,
  failureConverterPath: CONVERTERS,
  payloadCodecs: [new EncryptingCodec(payloadKey, say)],
})
