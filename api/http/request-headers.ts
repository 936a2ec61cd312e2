/** The headers of every request, and the secrets among them. */
import { Failure } from '../../domain/failure.ts'
import type { SourceSettings } from '../../domain/settings.ts'

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
const VALUE = /^[\x20-\x7e]*$/
/** The connection sets these headers, so that a setting can't. */
const RESERVED =
  /^(?:host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/

/**
 * Builds the headers. Throws config_invalid for a value that can't stand in a header. The message never repeats the
 * value.
 */
export function requestHeaders(settings: SourceSettings): Record<string, string> {
  const { user, password, applicationKey } = settings
  if (user.includes(':')) throw new Failure('config_invalid', 'TIEOUT_API_USER holds a colon')
  if (!VALUE.test(applicationKey.reveal()) || applicationKey.reveal() === '') {
    throw new Failure('config_invalid', 'TIEOUT_APPLICATION_KEY can not be sent in a header')
  }
  return {
    ...configuredHeaders(settings.headers),
    accept: 'application/json',
    // The size of a body is limited by its bytes on the wire, so that a compressed body must not arrive.
    'accept-encoding': 'identity',
    authorization: `Basic ${basicToken(user, password.reveal())}`,
    'x-svc-application-key': applicationKey.reveal(),
  }
}

function configuredHeaders(headers: Record<string, string>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (!lower.every(isSendable)) {
    throw new Failure('config_invalid', 'a configured header of the source can not be sent')
  }
  return Object.fromEntries(lower)
}

/** True for a header that the configuration may add to requests. */
export const isSendable = ([name, value]: readonly [string, string]): boolean =>
  NAME.test(name.toLowerCase()) && VALUE.test(value) && !RESERVED.test(name.toLowerCase())

function basicToken(user: string, password: string): string {
  return Buffer.from(`${user}:${password}`).toString('base64')
}
