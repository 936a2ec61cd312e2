/** A Temporal client with the payload key of a place, as the commands use one. */
import { Client, type Connection } from '@temporalio/client'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '../../domain/settings.ts'
import { EncryptingCodec } from '../../workers/temporal/payload-codec.ts'
import * as converters from '../../workers/temporal/convert-payloads.ts'
import { clientEnvelopes, takingResults } from '../../workers/temporal/envelopes.ts'
import type { Place } from './built.ts'

export const encryptingClient = (connection: Connection, place: Place): Client =>
  takingResults(
    new Client({
      connection,
      dataConverter: loadedConverter(keyOf(place)),
      interceptors: clientEnvelopes,
    }),
  )

/** The key in force: that of the environment, else the file beside the local lake. */
const keyOf = ({ cwd, env }: Place): string =>
  env['TIEOUT_PAYLOAD_KEY'] ??
  env['TIEOUT_HASH_KEY'] ??
  readFileSync(join(cwd, 'data', 'hash.key'), 'utf8').trim()

/** Temporal's client takes converters by path or, as here, as objects. */
export const loadedConverter = (key: string) => ({
  payloadConverter: converters.payloadConverter,
  failureConverter: converters.failureConverter,
  payloadCodecs: [new EncryptingCodec(new Secret(key), () => {})],
})
