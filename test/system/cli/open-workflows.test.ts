/**
 * Goal: a command that finds an open workflow says who has it. Method: a real server without a worker of tieout, and
 * workflows that a stranger or an earlier command began there.
 */
import { expect, test } from 'vitest'
import { openWorkflow } from '../../../cli/shell/goes-on.ts'
import { TASK_QUEUE } from '../../../workers/temporal/task-queue.ts'
import { newPlace } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { useTemporal } from '../../support/temporal.ts'

const temporal = useTemporal()

async function begun(type: string, workflowId: string, taskQueue: string): Promise<void> {
  await temporal().client.workflow.start(type, { taskQueue, workflowId, args: [{}] })
}

test.each([
  ['another task queue', 'nightly', 'a-queue-of-a-stranger'],
  ['another type', 'sleep', TASK_QUEUE],
])('a workflow id that a stranger took with %s is named', async (_, type, taskQueue) => {
  const id = `reconcile/acme/${type}/${taskQueue}`
  await begun(type, id, taskQueue)
  await expect(openWorkflow(temporal().client, 'nightly', id)).rejects.toMatchObject({
    code: 'payload_refused',
    message: `the workflow id ${id} is taken by another program: type ${type}, task queue ${taskQueue}`,
  })
})

test('a workflow of an earlier command is open until it ends', async () => {
  await begun('nightly', 'reconcile/acme/ours', TASK_QUEUE)
  const { client } = temporal()
  await expect(openWorkflow(client, 'nightly', 'reconcile/acme/ours')).resolves.toBeDefined()
  await client.workflow.getHandle('reconcile/acme/ours').terminate()
  await expect(openWorkflow(client, 'nightly', 'reconcile/acme/ours')).resolves.toBeUndefined()
  await expect(openWorkflow(client, 'nightly', 'reconcile/acme/none')).resolves.toBeUndefined()
})

test('a backfill that no worker has begun is shown as one that waits', async () => {
  const id = 'backfill/acme/2026-10-01..2026-10-30'
  await begun('backfill', id, TASK_QUEUE)
  const place = newPlace({ TEMPORAL_ADDRESS: temporal().address, TIEOUT_ACCOUNT: 'acme' })
  await expect
    .poll(async () => (await tieoutHere(['backfill', 'status'], place)).stdout, { timeout: 20_000 })
    .toBe('acme 2026-10-01..2026-10-30: waits for npx --no-install tieout worker\n')
  const { stdout } = await tieoutHere(['backfill', 'status', '--json'], place)
  expect(JSON.parse(stdout)).toMatchObject({ account: 'acme', open: [], waiting: [id] })
})
