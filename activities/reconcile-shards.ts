/** A reconciliation in parts: what they are, and one of them. */
import type { Run } from '../domain/run.ts'
import type { Settings } from '../domain/settings.ts'
import { writeHomes } from '../lake/shard-home.ts'
import { division, partsFolder, runPart, writeBasis, type Parts } from '../lake/shards.ts'
import { prepareRunModels, type ModelListener } from './reconcile.ts'
import type { SharedLake } from './shared-lake.ts'
import type { PinnedKnowledge, ShardPlan, ShardsDone, ShardTask } from './types.ts'
import { knowledgeFor, type Knowledge } from './variables.ts'

/** Fixes what the run may know, finds the terminals that must stay together, and makes what all parts need of the whole lake. */
export const createPlanShards =
  (settings: Settings, shared: SharedLake) =>
  async (run: Run, signal?: AbortSignal): Promise<ShardPlan> =>
    shared.connected(async (_lake, connection) => {
      const knowledge = await knowledgeFor(connection, run.account, run.knownAt)
      const parts = partsOf(settings, run)
      await writeHomes(connection, run.account, parts.folder)
      await prepareRunModels(connection, { settings, run, knowledge })
      await writeBasis(connection, parts)
      return { knowledge: pinned(knowledge), rounds: division(parts.shards).rounds }
    }, signal)

/** Runs one task, and leaves its tables in the run's working area. */
export const createReconcileShard =
  (settings: Settings, shared: SharedLake) =>
  async (
    { run, task, done, attempt }: ShardOrder,
    signal?: AbortSignal,
    heard: ModelListener = () => {},
  ): Promise<number> =>
    shared.connected(async (_lake, connection) => {
      await prepareRunModels(connection, { settings, run, knowledge: unpinned(done.knowledge) })
      const parts = partsOf(settings, run, done.attempts)
      await runPart(connection, { parts, ...task, attempt }, ({ stage, name }) =>
        heard(`${stage}/${name}, ${task.share} ${task.shard + 1} of ${parts.shards}`),
      )
      return attempt
    }, signal)

export interface ShardOrder {
  run: Run
  task: ShardTask
  done: ShardsDone
  /** The number of this try, so that what an earlier one left half-written is never read. */
  attempt: number
}

/** What is there when all rounds are done. */
export const partsDone = (settings: Settings, run: Run, done: ShardsDone) => ({
  parts: partsOf(settings, run, done.attempts),
  knowledge: unpinned(done.knowledge),
})

const partsOf = (
  { lake }: Settings,
  { runId, shards = 1 }: Run,
  attempts: Parts['attempts'] = [],
): Parts => ({ folder: partsFolder(lake.data, runId), shards, attempts })

const pinned = ({ known_at, known_time, is_newest, audit, exceptionScan }: Knowledge) => ({
  knownAt: String(known_at),
  knownTime: known_time,
  isNewest: is_newest,
  auditSeq: String(audit.seq),
  auditSha256: audit.sha256,
  exceptionScan: String(exceptionScan),
})

const unpinned = (known: PinnedKnowledge): Knowledge => ({
  known_at: BigInt(known.knownAt),
  known_time: known.knownTime,
  is_newest: known.isNewest,
  audit: { seq: BigInt(known.auditSeq), sha256: known.auditSha256 },
  exceptionScan: BigInt(known.exceptionScan),
})
