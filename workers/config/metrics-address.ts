import { Failure } from '../../domain/failure.ts'
import type { MetricsAddress } from '../../domain/settings.ts'
import { nameOf, type Chosen } from './options.ts'

/** Reads `127.0.0.1:9464`, `[::1]:0` or `off`. Throws config_invalid. */
export function metricsAddress(given: Chosen): MetricsAddress | undefined {
  const { value, from } = given
  if (value === 'off') return undefined
  const [, bare = '', text = ''] = /^(\[[\da-fA-F:]+\]|[\w.-]+):(\d{1,5})$/.exec(value) ?? []
  const port = Number(text)
  if (bare === '' || port > 65_535) {
    throw new Failure(
      'config_invalid',
      `${nameOf(given, 'TIEOUT_METRICS')} is neither an address such as 127.0.0.1:9464 nor off`,
    )
  }
  return { host: bare.replaceAll(/[[\]]/g, ''), port, isAsked: from !== 'default' }
}
