/** In which order vitest begins the test files: the longest first, so that none of them is left running alone at the end. */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '../house/project-files.ts'

/** Seconds that the longest files take on a quiet machine, roughly; what is not named here is short. */
export const SECONDS: Readonly<Record<string, number>> = {
  'test/sweeps/simulation.test.ts': 250,
  'test/workers/schedule.test.ts': 250,
  'test/pipeline/ground-truth.test.ts': 200,
  'test/cli/month-end.test.ts': 160,
  'test/scale/workers.test.ts': 150,
  'test/privacy/canaries.test.ts': 130,
  'test/pipeline/incremental.test.ts': 110,
  'test/workers/backfill.test.ts': 110,
  'test/workers/worker-killed.test.ts': 100,
  'test/workers/metrics.test.ts': 90,
  'test/activities/sweep-terminals.test.ts': 80,
  'test/books/exceptions.test.ts': 80,
  'test/scale/shared-lake.test.ts': 80,
  'test/books/prove.test.ts': 70,
  'test/books/approval.test.ts': 70,
  'test/cli/nightly-run.test.ts': 60,
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => seconds(b) - seconds(a))
  }
}

const seconds = ({ moduleId }: TestSpecification) => SECONDS[relative(ROOT, moduleId)] ?? 0
