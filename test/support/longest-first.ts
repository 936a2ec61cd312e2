/**
 * In which order vitest begins the test files: the longest first, so that none of them is left running alone at the end;
 * those that share processes last, for a process goes to the next file only where that is such a file, too.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '../house/project-files.ts'

/** Seconds that the longest files take on a quiet machine, roughly; what is not named here is short. */
export const SECONDS: Readonly<Record<string, number>> = {
  'test/sweeps/simulation.test.ts': 180,
  'test/scale/workers.test.ts': 150,
  'test/pipeline/ground-truth.test.ts': 180,
  'test/workers/worker-killed.test.ts': 150,
  'test/workers/schedule.test.ts': 145,
  'test/cli/month-end.test.ts': 145,
  'test/workers/backfill.test.ts': 125,
  'test/privacy/canaries.test.ts': 120,
  'test/books/exceptions.test.ts': 110,
  'test/books/approval.test.ts': 100,
  'test/activities/sweep-terminals.test.ts': 85,
  'test/packs/packs.test.ts': 100,
  'test/cli/nightly-run.test.ts': 80,
  'test/scale/shared-lake.test.ts': 75,
  'test/workers/metrics.test.ts': 70,
  'test/books/prove.test.ts': 65,
  'test/pipeline/incremental.test.ts': 65,
  'test/pipeline/explained-anywhere.test.ts': 60,
  'test/query/read-back.test.ts': 50,
  'test/lake/maintenance.test.ts': 45,
  'test/api/mutated-bodies.test.ts': 45,
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (a, b) => seconds(b) - seconds(a) || Number(isApart(b)) - Number(isApart(a)),
    )
  }
}

const seconds = ({ moduleId }: TestSpecification) => SECONDS[relative(ROOT, moduleId)] ?? 0

const isApart = ({ project }: TestSpecification) => project.config.isolate
