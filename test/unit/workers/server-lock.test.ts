/**
 * Goal: a process that got the number of a gone server is neither trusted nor ended. Method: a lock names a living
 * process with the start of another one.
 */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostedServer, vacate } from '../../../workers/temporal/dev-server.ts'
import {
  isAlive,
  liveLock,
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
