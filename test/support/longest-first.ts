/**
 * The order in which vitest begins the test files. The longest come first, so that none of them runs alone at the
 * end. Files that share processes come last, because a process goes on only to another such file.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from '../house/project-files.ts'

/** Rough seconds of the longest files on an idle machine; a file that is not listed is short. */
export const SECONDS: Readonly<Record<string, number>> = {
  'test/simulation/whole-system/whole-system.test.ts': 240,
  'test/simulation/simulation.test.ts': 180,
  'test/system/scale/workers.long.test.ts': 150,
  'test/system/package/installed.test.ts': 80,
  'test/system/cli/month-end.long.test.ts': 145,
  'test/system/cli/json-schemas.test.ts': 130,
  'test/system/workers/worker-killed.test.ts': 130,
  'test/system/workers/backfill.long.test.ts': 125,
  'test/system/kills/kills.test.ts': 110,
  'test/system/cli/interrupt.test.ts': 110,
  'test/system/workers/schedule.test.ts': 110,
  'test/system/cli/upgrade.test.ts': 100,
  'test/truth/packs/packs.test.ts': 100,
  'test/system/cli/first-close.test.ts': 90,
  'test/system/privacy/acts.test.ts': 90,
  'test/system/cli/nightly-run.test.ts': 80,
  'test/system/web/console.test.ts': 80,
  'test/system/scale/shared-lake.test.ts': 75,
  'test/system/activities/sweep-terminals.test.ts': 70,
  'test/system/books/approval.test.ts': 70,
  'test/system/privacy/errors.test.ts': 70,
  'test/system/workers/metrics.test.ts': 70,
  'test/unit/lake/damage.test.ts': 70,
  'test/system/pipeline/explained-anywhere.long.test.ts': 60,
  'test/system/privacy/canaries.test.ts': 60,
  'test/system/books/exceptions.test.ts': 60,
  'test/system/query/read-back.test.ts': 50,
  'test/unit/api/mutated-bodies.test.ts': 45,
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
