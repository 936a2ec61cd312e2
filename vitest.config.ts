import { defineConfig } from 'vitest/config'
import LongestFirst from './test/support/longest-first.ts'

/** Short files that leave nothing behind: they share processes, since to start one takes longer than most of their tests. */
const TOGETHER = ['unit/api', 'unit/domain', 'house', 'models', 'unit/simulator'].map(
  (folder) => `test/${folder}/*.test.ts`,
)

export default defineConfig({
  test: {
    globalSetup: ['test/support/lake-template.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    pool: 'forks',
    // One more than continuous integration has cores: some tests wait, for a server or for a process that was killed.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      { extends: true, test: { name: 'together', include: TOGETHER, isolate: false } },
      {
        extends: true,
        test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: TOGETHER },
      },
    ],
  },
})
