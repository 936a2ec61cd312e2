/**
 * Goal: a command that watches a run for hours does not grow, and its calls end with it. Method: a real server, thousands of
 * short calls, and one call that waits for a workflow that never ends.
 */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Secret } from '../../../domain/settings.ts'
import { embeddedAddress } from '../../../workers/temporal/connect.ts'
import type * as clients from '../../../workers/temporal/with-client.ts'
import { builtProject } from '../../support/built.ts'
import { useTemporal } from '../../support/temporal.ts'

const temporal = useTemporal()

/** Temporal's client loads the converters by their path, so it needs the built program. */
const { withClient }: typeof clients = await import(
  join(builtProject(), 'dist', 'workers', 'temporal', 'with-client.js')
)

const service = () => ({
  ...embeddedAddress(temporal().address),
  payloadKey: new Secret('a'.repeat(64)),
})
const never = new Promise<never>(() => {})
const { signal } = new AbortController()

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** MiB of live objects. */
function heap_mib(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

test('calls that have ended leave nothing in memory', async () => {
  await withClient(
    service(),
    ({ client, until }) =>
      until(never, async () => {
        const calls = async (count: number) => {
          for (let call = 0; call < count; call += 1) {
            await client.workflowService.describeNamespace({ namespace: 'default' })
          }
          return heap_mib()
        }
        const before_mib = await calls(200)
        // Each call once left 20 KiB.
        expect((await calls(2_000)) - before_mib).toBeLessThan(10)
      }),
    signal,
  )
})

test('a call that waits is cancelled when the work ends, and is not tried again', async () => {
  const ending = new AbortController()
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener('abort', () => reject(new Error('the end')))
  })
  const { client } = temporal()
  const handle = await client.workflow.start('waiting', { taskQueue: 'none', workflowId: 'waits' })
  let found: unknown
  const working = withClient(
    service(),
    ({ client: watching, until }) =>
      until(ended, async () => {
        const result = watching.workflow.getHandle('waits').result()
        setTimeout(() => ending.abort(), 300)
        await result.catch((error: unknown) => (found = error))
      }),
    signal,
  )
  await expect(working).rejects.toThrow('the end')
  expect(found).toMatchObject({ cause: { code: 1, details: 'the command ends' } })
  await handle.terminate()
})
