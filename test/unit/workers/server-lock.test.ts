/**
 * Goal: a process that got the number of a gone server is neither trusted nor ended, and a wait says what it waits for.
 * Method: a lock names a living process with the mark of another one.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { vacate } from '../../../workers/temporal/dev-server.ts'
import { hostedServer } from '../../../workers/temporal/server-lock.ts'
import { isAlive, markOf, signal } from '../../../lake/connection/process-mark.ts'
import {
  claimed,
  liveLock,
  readLock,
  stopServer,
  writeLock,
} from '../../../workers/temporal/server-lock.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const silent = { say: () => {} }

function started(command: string, args: readonly string[]): ChildProcess & { pid: number } {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return Object.assign(child, { pid: child.pid ?? 0 })
}

/** A living process that is no server, and a folder whose lock names it. */
async function reused(serverMark: string | undefined, owner = { pid: process.pid }) {
  const folder = tempFolder()
  mkdirSync(join(folder, 'temporal'))
  const { pid } = started('sleep', ['60'])
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void listener.close())
  const { port } = listener.address() as AddressInfo
  writeLock(folder, {
    ...{ serverPid: pid, serverMark: serverMark ?? markOf(pid) },
    ...{ ownerPid: owner.pid, ownerMark: markOf(owner.pid), owner: 'worker', port },
  })
  return { folder, pid }
}

const isThere = (pid: number) => isAlive(pid, markOf(pid))

test.each(['1', ''])(
  'a process with another mark than the server, here "%s", is no server',
  async (mark) => {
    const { folder, pid } = await reused(mark)
    expect(await liveLock(folder)).toBeUndefined()
    expect(await hostedServer(folder)).toBeUndefined()
    await vacate(folder, silent)
    await stopServer({ serverPid: pid, serverMark: mark }, folder)
    await stopServer({ serverPid: pid }, folder)
    expect(isThere(pid)).toBe(true)
  },
)

test('a server with its own mark is found, and is stopped', async () => {
  const { folder, pid } = await reused(undefined)
  expect(await hostedServer(folder)).toMatch(/^127\.0\.0\.1:\d+$/)
  await stopServer({ serverPid: pid, serverMark: markOf(pid) }, folder)
  expect(isThere(pid)).toBe(false)
})

test('a process with the same number and start, and with another command line, is another process', async () => {
  const child = started('sh', ['-c', 'read -r line; exec sleep 60'])
  const before = markOf(child.pid)
  expect(isAlive(child.pid, before)).toBe(true)
  child.stdin?.write('go\n')
  while (markOf(child.pid) === before) await sleep(10)
  expect([isAlive(child.pid, before), signal(child.pid, before, 'SIGKILL')]).toEqual([false, false])
  expect(isThere(child.pid)).toBe(true)
})

test('a process that ended has no mark', async () => {
  const child = started('true', [])
  await new Promise((resolve) => child.once('exit', resolve))
  expect(markOf(child.pid)).toBeUndefined()
})

test('a command that waits for another one to start the server says so', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'temporal'))
  const claim = join(folder, 'temporal', 'starting')
  writeFileSync(claim, `${process.pid} ${markOf(process.pid) ?? ''}`)
  const said: string[] = []
  // The other command is done once the wait was announced.
  const say = (line: string) => {
    said.push(line)
    rmSync(claim)
  }
  expect(await claimed(folder, { say }, () => Promise.resolve('mine'))).toBe('mine')
  expect(said).toEqual([
    `waiting for another command that starts the Temporal server of the lake in ${folder}, or needs the lake for itself`,
  ])
})

test('a command that waits for the server of a killed process says so, with the longest time', async () => {
  const owner = started('true', [])
  await new Promise((resolve) => owner.once('exit', resolve))
  const { folder } = await reused(undefined, owner)
  const server = started('sh', ['-c', `trap '' TERM; echo deaf; while :; do sleep 0.1; done`])
  // Before this line the signal would still end it.
  await new Promise((resolve) => server.stdout?.once('data', resolve))
  writeLock(folder, {
    ...{ serverPid: server.pid, serverMark: markOf(server.pid), port: 1 },
    ...{ ownerPid: owner.pid, owner: 'command' },
  })
  const said: string[] = []
  const say = (line: string) => {
    said.push(line)
    server.kill('SIGKILL')
  }
  await vacate(folder, { say })
  expect(said).toEqual([
    `waiting for the Temporal server of process ${owner.pid}, which has ended, at most 8 seconds`,
  ])
  expect(isThere(server.pid)).toBe(false)
})

test('a server that lives but does not listen is no server', async () => {
  const { folder, pid } = await reused(undefined)
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const serverMark = markOf(pid)
  writeLock(folder, { serverPid: pid, serverMark, ownerPid: process.pid, owner: 'worker', port })
  expect(await liveLock(folder)).toBeUndefined()
})

test('a copy of the folder has no server, and a moved folder has its own', async () => {
  const { folder, pid } = await reused(undefined)
  const [copy, moved] = [`${folder}-copy`, `${folder}-moved`]
  onTestFinished(() => {
    for (const path of [copy, moved]) rmSync(path, { recursive: true, force: true })
  })
  cpSync(folder, copy, { recursive: true })
  expect(await hostedServer(copy)).toBeUndefined()
  await vacate(copy, silent)
  expect(isThere(pid)).toBe(true)
  renameSync(folder, moved)
  expect(await hostedServer(moved)).toBeDefined()
})

test('a lock that is no JSON counts as none', () => {
  const { folder } = claimFolder()
  writeFileSync(join(folder, 'temporal', 'server.json'), '{"serverPid":')
  expect(readLock(folder)).toBeUndefined()
})

describe('the claim to start a server', () => {
  const inTime = () => ({ ...silent, signal: AbortSignal.timeout(20_000) })

  test('belongs to one at a time, and goes on to the next', async () => {
    const { folder, claim } = claimFolder()
    const events: string[] = []
    const start = (name: string) =>
      claimed(folder, inTime(), async () => {
        events.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 150))
        events.push(`${name} ends`)
      })
    await expect(Promise.all([start('one'), start('other')])).resolves.toHaveLength(2)
    expect(events).toEqual(['one begins', 'one ends', 'other begins', 'other ends'])
    expect(existsSync(claim)).toBe(false)
  })

  test('stays if it is that of another process, because the folder was exchanged', async () => {
    const { folder, claim } = claimFolder()
    await claimed(folder, inTime(), async () => writeFileSync(claim, `${process.pid} other`))
    expect(existsSync(claim)).toBe(true)
  })

  test.each([
    ['a process that is gone', `${2 ** 22 + 1} 5`],
    ['another process than the one that has its number now', `${process.pid} 5`],
  ])('is taken over from %s', async (_, text) => {
    const { folder, claim } = claimFolder()
    writeFileSync(claim, text)
    await expect(claimed(folder, inTime(), async () => 'mine')).resolves.toBe('mine')
  })

  test('is taken over if its file is empty for long, and not at once', async () => {
    const { folder, claim } = claimFolder()
    writeFileSync(claim, '')
    const soon = Date.now() / 1000 + 3600
    utimesSync(claim, soon, soon)
    await expect(
      claimed(folder, { ...silent, signal: AbortSignal.timeout(300) }, async () => 'mine'),
    ).rejects.toThrow()
    const longAgo = Date.now() / 1000 - 60
    utimesSync(claim, longAgo, longAgo)
    await expect(claimed(folder, inTime(), async () => 'mine')).resolves.toBe('mine')
  })

  test('ends its wait if a restore exchanges the folder meanwhile', async () => {
    const { folder, claim } = claimFolder()
    writeFileSync(claim, `${process.pid} ${markOf(process.pid) ?? ''}`)
    const waiting = claimed(folder, inTime(), async () => 'mine')
    renameSync(join(folder, 'temporal'), join(folder, 'before'))
    await expect(waiting).rejects.toMatchObject({
      code: 'lake_locked',
      message: expect.stringContaining('as tieout maintain --restore does'),
      remedy: expect.stringContaining('run the same command again'),
    })
  })

  test('is not made in a folder that is gone', async () => {
    const { folder } = claimFolder()
    rmSync(join(folder, 'temporal'), { recursive: true })
    await expect(claimed(folder, inTime(), async () => 'mine')).rejects.toMatchObject({
      name: 'Failure',
    })
  })
})

/** A folder in which no server has ever started, and the file of a claim there. */
function claimFolder(): { folder: string; claim: string } {
  const folder = tempFolder()
  mkdirSync(join(folder, 'temporal'))
  return { folder, claim: join(folder, 'temporal', 'starting') }
}
