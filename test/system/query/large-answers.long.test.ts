/** Goal: an answer of any size needs little memory. Method: each format writes 480 MB, and the process is measured. */
import { execFileSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtProject, newPlaceWithLake } from '../../support/built.ts'

const place = newPlaceWithLake({})

/** Runs a command and answers with its largest memory in MB, once it has ended well. */
const PEAK = `
import resource, subprocess, sys
ended = subprocess.run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024 if ended.returncode == 0 else 'failed')
`

test.each(['table', 'csv', 'json', 'arrow', 'parquet'])(
  'an answer of 480 MB is written as %s, and the process never uses that much memory',
  (format) => {
    const sql = 'select range as n, repeat(md5(range::varchar), 15) as t from range(1000000)'
    const output = join(place.cwd, `large.${format}`)
    const program = join(builtProject(), 'bin', 'tieout.mjs')
    const asked = ['query', sql, '--format', format, '--output', output]
    const said = execFileSync('python3', ['-c', PEAK, process.execPath, program, ...asked], {
      cwd: place.cwd,
      encoding: 'utf8',
    })
    // Parquet packs the repetition.
    expect(statSync(output).size).toBeGreaterThan(format === 'parquet' ? 10_000_000 : 480_000_000)
    rmSync(output)
    expect(Number(said)).toBeLessThan(420)
  },
)
