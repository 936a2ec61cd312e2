/**
 * Goal: a process that got the number of a gone server is neither trusted nor ended. Method: a lock names a living
 * process with the start of another one.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hostedServer, vacate } from '../../../workers/temporal/dev-server.ts'
import {
  claimed,
  isAlive,
  liveLock,
  readLock,
  startOf,
  stopServer,
  writeLock,
} from '../../../workers/temporal/server-lock.ts'
import { tempFolder } from '../../support/temp-lake.ts'

/** A living process that is no server, and a folder whose lock names it. */
async function reused(serverStart: string | undefined) {
  const folder = tempFolder()
  mkdirSync(join(folder, 'temporal'))
  const child = spawn('sleep', ['60'], { stdio: 'ignore' })
  const listener = createServer()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    child.kill('SIGKILL')
    listener.close()
  })
  const { port } = listener.address() as AddressInfo
  const pid = child.pid ?? 0
  writeLock(folder, {
    ...{ serverPid: pid, serverStart: serverStart ?? startOf(pid) },
    ...{ ownerPid: process.pid, ownerStart: startOf(process.pid), owner: 'worker', port },
  })
  return { folder, pid }
}

test('a process that began later under the number of a server is no server', async () => {
  const { folder, pid } = await reused('1')
  expect(await liveLock(folder)).toBeUndefined()
  expect(await hostedServer(folder)).toBeUndefined()
  await vacate(folder)
  await stopServer({ serverPid: pid, serverStart: '1' }, folder)
  expect(isAlive(pid)).toBe(true)
})

test('a server with its own start is found, and is stopped', async () => {
  const { folder, pid } = await reused(undefined)
  expect(await hostedServer(folder)).toMatch(/^127\.0\.0\.1:\d+$/)
  await stopServer({ serverPid: pid, serverStart: startOf(pid) }, folder)
  expect(isAlive(pid)).toBe(false)
})

test('a server that lives but does not listen is no server', async () => {
  const { folder, pid } = await reused(undefined)
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  writeLock(folder, { serverPid: pid, ownerPid: process.pid, owner: 'worker', port })
  expect(await liveLock(folder)).toBeUndefined()
})

test('a lock that is no JSON counts as none', () => {
  const { folder } = claimFolder()
  writeFileSync(join(folder, 'temporal', 'server.json'), '{"serverPid":')
  expect(readLock(folder)).toBeUndefined()
})

describe('the claim to start a server', () => {
  const inTime = () => AbortSignal.timeout(20_000)

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
    await expect(claimed(folder, AbortSignal.timeout(300), async () => 'mine')).rejects.toThrow()
    const longAgo = Date.now() / 1000 - 60
    utimesSync(claim, longAgo, longAgo)
    await expect(claimed(folder, inTime(), async () => 'mine')).resolves.toBe('mine')
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
