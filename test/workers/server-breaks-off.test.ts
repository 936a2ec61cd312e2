import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startDevServer } from '../../workers/dev-server.ts'
import { temporalCli } from '../../workers/temporal-cli.ts'
import { tempFolder } from '../support/temp-lake.ts'

afterEach(() => vi.unstubAllEnvs())

const started = (folder: string) => startDevServer(folder, { owner: 'command', say: () => {} })

/** A program that ends by this code as often as it says, and is the real server from then on. */
async function endingFirst(folder: string, times: number, code: number): Promise<void> {
  const real = await temporalCli(() => {})
  const [program, count] = [join(folder, 'temporal.sh'), join(folder, 'count')]
  writeFileSync(
    program,
    `#!/bin/sh
echo x >> '${count}'
if [ "$(wc -l < '${count}')" -le ${times} ]; then echo 'panic: no port is free' >&2; exit ${code}; fi
exec '${real}' "$@"
`,
  )
  chmodSync(program, 0o755)
  vi.stubEnv('TIEOUT_TEMPORAL_CLI', program)
}

test('a server that panics as it starts is started once more', async () => {
  const folder = tempFolder()
  await endingFirst(folder, 1, 2)
  const server = await started(folder)
  expect(server.hosted).toBe(false)
  await server.stop()
}, 60_000)

test('one that panics again, or ends otherwise, is given up with what it said', async () => {
  const twice = tempFolder()
  await endingFirst(twice, 2, 2)
  await expect(started(twice)).rejects.toThrow(/did not start, ended by 2: panic: no port is free/)
  const otherwise = tempFolder()
  await endingFirst(otherwise, 1, 1)
  await expect(started(otherwise)).rejects.toThrow(/did not start, ended by 1/)
}, 60_000)
