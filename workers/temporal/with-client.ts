/** Opens a connection to a Temporal service, and closes it only after its last call. */
import { InterceptingCall, status, type Interceptor } from '@grpc/grpc-js'
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client'
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
  const calls = new RunningCalls()
  const connecting = Connection.connect({
    ...service.connection,
    connectTimeout: '5s',
    interceptors: calls.interceptors,
  }).catch((cause: unknown) => {
    throw unreachable(service.connection.address, cause)
  })
  const connection = await Promise.race([connecting, aborted(signal)])
  const until: OpenClient['until'] = async (end, inner) => {
    const working = inner()
    try {
      return await Promise.race([working, end])
    } finally {
      calls.cancel()
      await Promise.race([working.catch(() => {}), sleep(SETTLES_MS)])
    }
  }
  try {
    await Promise.race([checkNamespace(connection, service), aborted(signal)])
    const { namespace } = service
    const client = new Client({
      connection,
      namespace,
      dataConverter: dataConverter(service),
      interceptors: clientEnvelopes,
    })
    return await work({ client: takingResults(client), until })
  } finally {
    calls.cancel()
    await connection.close()
  }
}

/**
 * Knows the calls that have not ended, and cancels them at the end of the work. With a signal of the client's library, each
 * call would stay in memory until that end: a gigabyte in some hours of watching.
 */
class RunningCalls {
  #isCancelled = false
  readonly #calls = new Set<InterceptingCall>()

  readonly #follow: Interceptor = (options, nextCall) => {
    const call = new InterceptingCall(nextCall(options), {
      start: (metadata, _listener, next) => {
        this.#calls.add(call)
        next(metadata, {
          onReceiveStatus: (ended, nextStatus) => {
            this.#calls.delete(call)
            nextStatus(ended)
          },
        })
        // A wait for another attempt may end only now.
        if (this.#isCancelled) cancel(call)
      },
    })
    return call
  }

  readonly #retry = defaultGrpcRetryOptions()

  readonly interceptors = [
    // A call that is retried on a closed connection would end the whole process.
    makeGrpcRetryInterceptor({
      ...this.#retry,
      retryableDecider: (attempt, ended) =>
        !this.#isCancelled && this.#retry.retryableDecider(attempt, ended),
    }),
    this.#follow,
  ]

  cancel(): void {
    this.#isCancelled = true
    for (const call of this.#calls) cancel(call)
  }
}

const cancel = (call: InterceptingCall) =>
  call.cancelWithStatus(status.CANCELLED, 'the command ends')

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
