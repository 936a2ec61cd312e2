import { defineConfig } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'

/**
 * Short tests that leave nothing behind. They share processes, because starting one takes longer than most of them.
 */
const TOGETHER = ['unit/api', 'unit/domain', 'house', 'models', 'unit/simulator'].map(
  (folder) => `test/${folder}/*.test.ts`,
)

/** Tests that take minutes and find what rarely breaks. `npm run test:long` runs them; `npm test` does not. */
const LONG = 'test/**/*.long.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['test/support/lake-template.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    pool: 'forks',
    // Continuous integration has one core fewer, because some tests only wait for a server or for a killed process.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
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
