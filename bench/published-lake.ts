/** A large lake with one published run, for benches of the programs that read it. */
import { createReconcile } from '../activities/reconcile/reconcile.ts'
import { SharedLake } from '../activities/runtime/shared-lake.ts'
import type { Run } from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import { isThere } from '../lake/connection/open.ts'
import { recordPublication } from '../lake/results/publications.ts'
import { codeVersion } from '../lake/run/code-version.ts'
import { generate, type HistorySize } from './generated-history.ts'

/** Each version of the models stores its own run in a lake from `--keep`. */
export const RUN: Run = {
  ...{ runId: codeVersion(), account: 'bench', asOf: '2026-11-20T04:15:00Z', knownAt: '3' },
  window: { from: '2025-09-26', to: '2025-10-31' },
}

/** Makes those parts of the lake that do not exist yet. */
export async function makeLake(settings: Settings, size: HistorySize): Promise<void> {
  const hasLake = isThere(settings.lake)
  const shared = new SharedLake(settings.lake, () => {})
  try {
    if (!hasLake) {
      await shared.connected(async (_lake, connection) => {
        await generate(connection, size)
        await connection.run(
          `insert into lake.ops.landing values (3, 'bench', 't', 0, 1, 1, 0, timestamp '2026-11-20', '{}')`,
        )
      })
    }
    await createReconcile(settings, shared)(RUN)
    await shared.connected((lake, connection) =>
      recordPublication(lake, connection, {
        ...RUN,
        certificate: 'CONTIGUOUS',
        manifestSha256: 'none',
      }),
    )
  } finally {
    await shared.close()
  }
}
