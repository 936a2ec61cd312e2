import { defineConfig } from 'vitest/config'
import { breakModule } from './test/mutants/break-module.ts'
import LongestFirst from './test/support/longest-first.ts'

/**
 * Short tests that leave nothing behind. They share processes, because starting one takes longer than most of them.
 */
const TOGETHER = ['unit/api', 'unit/domain', 'house', 'models', 'unit/simulator'].map(
  (folder) => `test/${folder}/*.test.ts`,
)

/** Tests that take minutes and find what rarely breaks. `npm run test:long` runs them; `npm test` does not. */
const LONG = 'test/**/*.long.test.ts'

/** Code of which `npm run test:coverage` demands every branch. api/sweep/probe-service.ts only serves `doctor`. */
const EVERY_BRANCH = [
  // Money.
  'domain/cents.ts',
  // Time windows.
  'domain/{backfill,bank-days,business-day,time-zone}.ts',
  'api/record/instant.ts',
  'lake/run/run-variables.ts',
  'activities/reconcile/prepare-run.ts',
  // Paging.
  'api/http/{envelope,next,page,page-limit}.ts',
  'api/sweep/!(probe-service).ts',
  // The codec of payloads.
  'domain/refused-payload.ts',
  'workers/temporal/{convert-payloads,data-converter,payload-codec}.ts',
  'workflows/data-converter.ts',
  // The audit trail.
  'lake/decisions/*.ts',
  'queries/verify-trail.ts',
]

export default defineConfig({
  plugins: breakModule(),
  test: {
    globalSetup: ['test/support/lake-template.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    pool: 'forks',
    // Continuous integration has one core fewer, because some tests only wait for a server or for a killed process.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    coverage: {
      include: EVERY_BRANCH,
      thresholds: { branches: 100 },
      reporter: ['text', 'text-summary'],
      reportsDirectory: '.cache/coverage',
    },
    // Node itself loads the built program, as it does for a user.
    server: { deps: { external: [/\/\.cache\/built\//] } },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: { name: 'together', include: TOGETHER, exclude: [LONG], isolate: false },
      },
      {
        extends: true,
        test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: [...TOGETHER, LONG] },
      },
      { extends: true, test: { name: 'long', include: [LONG] } },
    ],
  },
})
