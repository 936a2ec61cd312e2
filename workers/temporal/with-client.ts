/** Opens a connection to a Temporal service, and closes it only after its last call. */
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../domain/failure.ts'
import { aborted } from './aborted.ts'
import { unreachable, type Address, type Service } from './connect.ts'
import { GRPC, grpcStatus } from './grpc-status.ts'
import { dataConverter } from './data-converter.ts'
import { clientEnvelopes, takingResults } from './envelopes.ts'

export interface OpenClient {
  client: Client
  /**
   * Runs `work` until it ends or `end` rejects; then cancels the running calls and waits for their
   * end.
   */
  until<T>(end: Promise<never>, work: () => Promise<T>): Promise<T>
}

/** Longer than the client waits between two attempts of a call. */
const SETTLES_MS = 8_000

/**
 * Connects and runs `work`. Throws temporal_unreachable, and the signal's reason if it is set in
 * the meantime.
 */
export async function withClient<T>(
  service: Service,
  work: (open: OpenClient) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  let isClosing = false
  const retry = defaultGrpcRetryOptions()
  // A call that is retried on a closed connection would end the whole process.
  const retryInterceptor = makeGrpcRetryInterceptor({
    ...retry,
    retryableDecider: (attempt, status) => !isClosing && retry.retryableDecider(attempt, status),
  })
  const connecting = Connection.connect({
    ...service.connection,
    connectTimeout: '5s',
    interceptors: [retryInterceptor],
  }).catch((cause: unknown) => {
    throw unreachable(service.connection.address, cause)
  })
  const connection = await Promise.race([connecting, aborted(signal)])
  const until: OpenClient['until'] = async (end, inner) => {
    const calls = new AbortController()
    // Every call adds a listener for the life of the client, which Node would report as a leak.
    setMaxListeners(0, calls.signal)
    const working = connection.withAbortSignal(calls.signal, inner)
    try {
      return await Promise.race([working, end])
    } finally {
      isClosing = true
      calls.abort()
      await Promise.race([working.catch(() => {}), sleep(SETTLES_MS)])
    }
  }
  try {
    await Promise.race([checkNamespace(connection, service), aborted(signal)])
    const { namespace, payloadKey } = service
    const client = new Client({
      connection,
      namespace,
      dataConverter: dataConverter(payloadKey),
      interceptors: clientEnvelopes,
    })
    return await work({ client: takingResults(client), until })
  } finally {
    isClosing = true
    await connection.close()
  }
}

async function checkNamespace(connection: Connection, service: Address): Promise<void> {
  const { namespace } = service
  const { address } = service.connection
  await connection.workflowService.describeNamespace({ namespace }).catch((cause: unknown) => {
    const status = grpcStatus(cause)
    // A key may be allowed to run workflows but not to describe the namespace.
    if (status === GRPC.permissionDenied) return
    if (status !== GRPC.notFound) throw unreachable(address, cause)
    throw new Failure(
      'temporal_unreachable',
      `Temporal at ${address} has no namespace ${namespace}`,
      {
        cause,
        remedy: 'set TEMPORAL_NAMESPACE to one that exists, or create it',
      },
    )
  })
}
