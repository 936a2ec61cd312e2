import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startDevServer } from '../../../workers/temporal/dev-server.ts'
import { temporalCli } from '../../../workers/temporal/temporal-cli.ts'
import { tempFolder } from '../../support/temp-lake.ts'

afterEach(() => vi.unstubAllEnvs())

const started = (folder: string) => startDevServer(folder, { owner: 'command', say: () => {} })

/** A program that does this as often as it says, and is the real server from then on. */
async function atFirst(folder: string, times: number, does: string): Promise<void> {
  const real = await temporalCli(() => {})
  const [program, count] = [join(folder, 'temporal.sh'), join(folder, 'count')]
  writeFileSync(
    program,
    `#!/bin/sh
echo x >> '${count}'
if [ "$(wc -l < '${count}')" -le ${times} ]; then ${does}; fi
exec '${real}' "$@"
`,
  )
  chmodSync(program, 0o755)
  vi.stubEnv('TIEOUT_TEMPORAL_CLI', program)
}

const panic = (code: number) => `echo 'panic: no port is free' >&2; exit ${code}`

test('a server that panics as it starts is started once more', async () => {
  const folder = tempFolder()
  await atFirst(folder, 1, panic(2))
  const server = await started(folder)
  expect(server.hosted).toBe(false)
  await server.stop()
}, 60_000)

test('a server that panics again, or ends in another way, fails with its message', async () => {
  const twice = tempFolder()
  await atFirst(twice, 2, panic(2))
  await expect(started(twice)).rejects.toThrow(/did not start, ended by 2: panic: no port is free/)
  const otherwise = tempFolder()
  await atFirst(otherwise, 1, panic(1))
  await expect(started(otherwise)).rejects.toThrow(/did not start, ended by 1/)
}, 60_000)

test('a server whose database is damaged says what can be moved away', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'temporal'))
  writeFileSync(join(folder, 'temporal', 'temporal.db'), 'damaged '.repeat(1000))
  await expect(started(folder)).rejects.toMatchObject({
    code: 'temporal_unreachable',
    remedy: expect.stringMatching(/^move away the folder temporal /),
  })
}, 60_000)

test('a missing program is reported with its name and the reason', async () => {
  vi.stubEnv('TIEOUT_TEMPORAL_CLI', '/nowhere/temporal')
  await expect(started(tempFolder())).rejects.toMatchObject({
    code: 'temporal_unreachable',
    message: "/nowhere/temporal can't be started: there is no such file or folder (ENOENT)",
  })
})

test.each(['a#b', 'a?b=c', 'a%20b', `a'b"c`, 'a b', 'ä日'])(
  'a server works in a folder of this name: %s',
  async (name) => {
    const folder = tempFolder()
    const server = await started(join(folder, name))
    await server.stop()
    expect(readdirSync(folder)).toEqual([name])
    expect(readdirSync(join(folder, name, 'temporal'))).toContain('temporal.db')
  },
  60_000,
)

test('a server whose port another process took first, which listens and never answers, gets another one', async () => {
  const folder = tempFolder()
  const [listening, ports] = [join(folder, 'listening.mjs'), join(folder, 'ports')]
  writeFileSync(
    listening,
    `import { appendFileSync } from 'node:fs'
import { createServer } from 'node:net'
createServer().listen(Number(process.argv[2]), '127.0.0.1', () => appendFileSync('${ports}', process.argv[2]))
setTimeout(() => process.exit(), 20_000)
`,
  )
  // The port is the sixth argument.
  const listens = `'${process.execPath}' '${listening}' "$6" & while ! [ -s '${ports}' ]; do sleep 0.1; done`
  await atFirst(folder, 1, listens)
  const server = await started(folder)
  expect(server.address).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(server.address).not.toBe(`127.0.0.1:${readFileSync(ports, 'utf8')}`)
  await server.stop()
}, 60_000)
