/** The installation of the proofs that try one fault after the other: a small world with planted discrepancies. */
import type { List } from '../../../domain/run.ts'
import { setup } from '../../support/lake-template.ts'
import { ACCOUNT, deploy, type Deployment, useMemoryDisk } from './deployment.ts'
import { real } from './faults.ts'
import { scenarioOf } from './scenario.ts'

/** Runs `work` on a new installation at its first night, and removes the installation. */
export async function withPlanted<T>(work: (place: Deployment) => Promise<T>): Promise<T> {
  useMemoryDisk()
  await setup()
  const { world, nights } = scenarioOf(2)
  const planted = { ...world, plantsPerKind: 1, mismatchRate: 0.2, errorRate: 0 }
  const place = await deploy(planted, nights[0] ?? '', () => {})
  try {
    return await work(place)
  } finally {
    await place.close()
    await place.simulator.stop()
    real.rmSync(place.folder, { recursive: true, force: true })
  }
}

/** Sweeps a list to its end, however many activities that takes. */
export async function sweepWhole(
  { sweepList }: Deployment['activities'],
  { runId, list, pass = 1 }: { runId: string; list: List; pass?: number },
): Promise<void> {
  let isDone = false
  while (!isDone) ({ done: isDone } = await sweepList({ runId, account: ACCOUNT, list, pass }))
}
