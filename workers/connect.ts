/** Which Temporal service to use: the configured one, or an embedded server. */
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { ConnectionOptions } from '@temporalio/client'
import type { NativeConnectionOptions } from '@temporalio/worker'
import { Failure } from '../domain/failure.ts'

export interface Service {
  connection: ConnectionOptions & NativeConnectionOptions
  namespace: string
}

/** What TEMPORAL_ADDRESS and the like configure, or undefined where nothing is. Throws config_invalid. */
export function configuredService(): Service | undefined {
  let config
  try {
    config = loadClientConnectConfig()
  } catch (cause) {
    throw new Failure(
      'config_invalid',
      `the Temporal configuration can't be read: ${String(cause)}`,
    )
  }
  if (config.connectionOptions.address === undefined) return undefined
  return {
    connection: config.connectionOptions,
    namespace: config.namespace ?? 'default',
  }
}

export const embeddedService = (address: string): Service => ({
  connection: { address },
  namespace: 'default',
})

export const unreachable = (address: string | undefined, cause: unknown) =>
  new Failure('temporal_unreachable', `Temporal at ${address ?? 'its address'} can't be reached`, {
    cause,
    remedy: 'check TEMPORAL_ADDRESS, or unset it to use the embedded server',
  })
