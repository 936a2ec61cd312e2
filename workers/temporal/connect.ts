/** Which Temporal service to use: the configured one, or an embedded server. */
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { isGrpcServiceError, type ConnectionOptions } from '@temporalio/client'
import type { NativeConnectionOptions } from '@temporalio/worker'
import { Failure } from '../../domain/failure.ts'

/** The status numbers of gRPC that mean something to us. */
export const GRPC = {
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  unavailable: 14,
} as const

/** The status that a call of the service ended with, or undefined for any other error. */
export const grpcStatus = (error: unknown): number | undefined =>
  isGrpcServiceError(error) ? error.code : undefined

export interface Service {
  connection: ConnectionOptions & NativeConnectionOptions
  namespace: string
}

/** What TEMPORAL_ADDRESS and the like configure, or undefined where nothing is. Throws config_invalid. */
export function configuredService(): Service | undefined {
  let config
  try {
    config = loadClientConnectConfig()
  } catch {
    // What the reader says quotes the lines at fault, and an API key may be in one.
    throw new Failure(
      'config_invalid',
      "the Temporal configuration (TEMPORAL_* variables or the file that TEMPORAL_CONFIG_FILE names) can't be read",
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
