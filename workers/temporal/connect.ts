/** The choice of the Temporal service: the configured one, or an embedded server. */
import { loadClientConnectConfig } from '@temporalio/envconfig'
import type { ConnectionOptions } from '@temporalio/client'
import type { NativeConnectionOptions } from '@temporalio/worker'
import { Failure } from '../../domain/failure.ts'
import { isObjectAddress, withoutSlash } from '../../domain/object-address.ts'
import type { LakeSettings, Secret, Settings } from '../../domain/settings.ts'

export interface Address {
  /** True for a configured service, which other machines use as well. */
  isShared: boolean
  connection: ConnectionOptions & NativeConnectionOptions
  namespace: string
}

/** A Temporal service, and what opens the payloads that it stores for tieout. */
export interface Service extends Address {
  payloadKey: Secret
  /** The address of the lake's data. Absent for an embedded server, which belongs to one lake, and for local data. */
  data?: string
}

/**
 * A service as the processes of one lake use it. They open no payload of a lake whose data has another address. A
 * folder may have another path on another machine, so that it tells no lakes apart.
 */
export const serviceOf = (address: Address, { data }: LakeSettings, payloadKey: Secret): Service =>
  address.isShared && isObjectAddress(data)
    ? { ...address, payloadKey, data: withoutSlash(data) }
    : { ...address, payloadKey }

/**
 * The service of TEMPORAL_ADDRESS and related settings; undefined if there are none. Throws
 * config_invalid.
 */
export function configuredAddress(): Address | undefined {
  let config
  try {
    config = loadClientConnectConfig()
  } catch {
    // The reader's message quotes the faulty lines, which may hold an API key.
    throw new Failure(
      'config_invalid',
      "the Temporal configuration (TEMPORAL_* variables or the file that TEMPORAL_CONFIG_FILE names) can't be read",
    )
  }
  if (config.connectionOptions.address === undefined) return undefined
  return {
    isShared: true,
    connection: config.connectionOptions,
    namespace: config.namespace ?? 'default',
  }
}

/**
 * The folder of packs that an order names. On a shared service the worker's own folder counts, unless a person named
 * one: a default of this machine means nothing on another.
 */
export const outFor = ({
  isOutDefault,
  out,
}: Pick<Settings, 'isOutDefault' | 'out'>): { out?: string } =>
  isOutDefault === true && configuredAddress() !== undefined ? {} : { out }

export const embeddedAddress = (address: string): Address => ({
  isShared: false,
  connection: { address },
  namespace: 'default',
})

export const unreachable = (address: string | undefined, cause: unknown) =>
  new Failure('temporal_unreachable', `Temporal at ${address ?? 'its address'} can't be reached`, {
    cause,
    remedy: 'check TEMPORAL_ADDRESS, or unset it to use the embedded server',
  })
