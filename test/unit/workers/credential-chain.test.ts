/**
 * Goal: a machine without keys in its variables gets them by Amazon's usual chain. Method: stand-ins for the services of
 * containers, machines and web identities.
 */
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { credentialChain } from '../../../workers/config/credential-chain.ts'
import { objectStore } from '../../../workers/config/object-store.ts'
import { tempFolder } from '../../support/temp-lake.ts'

const SECRET = 'swordfish/and+more'
const LIFE_MS = 3_600_000

/** Serves texts by path; answers with the address and the requests so far. */
async function standIn(answers: Record<string, () => string>) {
  const seen: IncomingMessage[] = []
  const bodies: string[] = []
  const server = createServer((asked, answer) => {
    seen.push(asked)
    const chunks: Buffer[] = []
    asked.on('data', (chunk: Buffer) => chunks.push(chunk))
    asked.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString())
      const found = answers[`${asked.method} ${asked.url}`]
      answer.writeHead(found === undefined ? 404 : 200).end(found?.())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, bodies }
}

const inAnHour = () => new Date(Date.now() + LIFE_MS).toISOString()
const keysNamed = (AccessKeyId: string, more = {}) =>
  JSON.stringify({ AccessKeyId, SecretAccessKey: SECRET, Expiration: inAnHour(), ...more })

beforeEach(() => {
  vi.unstubAllEnvs()
  const folder = tempFolder()
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, '')
  for (const [name, file] of [
    ['AWS_CONFIG_FILE', 'config'],
    ['AWS_SHARED_CREDENTIALS_FILE', 'credentials'],
  ] as const) {
    vi.stubEnv(name, join(folder, file))
  }
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
})

test('a container has its keys from the service that a variable names, with their end', async () => {
  const { url, seen } = await standIn({
    'GET /keys': () => keysNamed('of-container', { Token: 't' }),
  })
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${url}/keys`)
  vi.stubEnv('AWS_CONTAINER_AUTHORIZATION_TOKEN', 'allow-me')
  const keys = credentialChain('us-east-1')
  const found = await keys()
  expect([found.keyId, found.secretKey, found.sessionToken].map((key) => key?.reveal())).toEqual([
    'of-container',
    SECRET,
    't',
  ])
  expect(found.expiresAt_ms).toBeGreaterThan(0)
  expect(seen[0]?.headers.authorization).toBe('allow-me')
  expect(JSON.stringify(found)).not.toContain(SECRET)
  await keys()
  expect(seen).toHaveLength(1)
})

test('keys that are about to expire are fetched again', async () => {
  let fetched = 0
  const { url } = await standIn({
    'GET /keys': () => {
      fetched += 1
      return keysNamed(`key-${fetched}`, {
        Token: 't',
        Expiration: new Date(Date.now() + 60_000).toISOString(),
      })
    },
  })
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${url}/keys`)
  const keys = credentialChain('us-east-1')
  expect((await keys()).keyId.reveal()).toBe('key-1')
  await vi.waitFor(async () => expect((await keys()).keyId.reveal()).toBe('key-2'))
})

test('a machine has the keys of its role from the service for machines', async () => {
  const path = '/latest/meta-data/iam/security-credentials/'
  const { url } = await standIn({
    'PUT /latest/api/token': () => 'a-token',
    [`GET ${path}`]: () => 'the-role',
    [`GET ${path}the-role`]: () => keysNamed('of-machine', { Code: 'Success', Token: 't' }),
  })
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', '')
  vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', url)
  expect((await credentialChain('us-east-1')()).keyId.reveal()).toBe('of-machine')
})

test('a pod exchanges its token for the keys of a role', async () => {
  const answer = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>of-role</AccessKeyId><SecretAccessKey>${SECRET}</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${inAnHour()}</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`
  const { url, bodies } = await standIn({ 'POST /': () => answer })
  const token = join(tempFolder(), 'token')
  writeFileSync(token, 'the-token-of-the-pod')
  vi.stubEnv('AWS_ENDPOINT_URL_STS', url)
  vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', token)
  vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/tieout')
  const found = await credentialChain('eu-central-1')()
  expect(found.keyId.reveal()).toBe('of-role')
  expect(bodies[0]).toContain('Action=AssumeRoleWithWebIdentity')
  expect(bodies[0]).toContain('the-token-of-the-pod')
})

test('without any source the variable is named; a source that fails may answer later', async () => {
  await expect(credentialChain('us-east-1')()).rejects.toMatchObject({
    code: 'config_missing',
    message: expect.stringMatching(/^AWS_ACCESS_KEY_ID is not set/),
  })
  let answer = () => `{"message":"${SECRET}"}`
  const { url } = await standIn({ 'GET /keys': () => answer() })
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${url}/keys`)
  const keys = credentialChain('us-east-1')
  const failed: unknown = await keys().catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'store_unreachable', retry: true })
  expect(`${String(failed)} ${JSON.stringify(failed)}`).not.toContain(SECRET)
  answer = () => keysNamed('at-last', { Token: 't' })
  expect((await keys()).keyId.reveal()).toBe('at-last')
})

test('keys in the variables go before the chain, and half of them is an error', async () => {
  const { url, seen } = await standIn({ 'GET /keys': () => keysNamed('of-container') })
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${url}/keys`)
  const given = { AWS_ACCESS_KEY_ID: 'given', AWS_SECRET_ACCESS_KEY: SECRET }
  expect((await objectStore(given).keys()).keyId.reveal()).toBe('given')
  expect(seen).toEqual([])
  expect(() => objectStore({ AWS_ACCESS_KEY_ID: 'given' })).toThrow(
    'AWS_SECRET_ACCESS_KEY is not set',
  )
  expect(() => objectStore({ AWS_SECRET_ACCESS_KEY: SECRET })).toThrow(
    'AWS_ACCESS_KEY_ID is not set',
  )
})
