/**
 * Goal: a lake that stays open goes on after its keys have expired. Method: an object store behind a relay that knows
 * one key at a time.
 */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { Secret, type StoreKeys } from '../../../domain/settings.ts'
import { openLake } from '../../../lake/connection/open.ts'
import { lakeSettingsIn } from '../../support/lake-template.ts'
import { relayTo, type Relay } from '../../support/object-store-relay.ts'
import { needs } from '../../support/outside-program.ts'
import { startBucket } from '../../support/services.ts'
import { rowsOf, tempFolder } from '../../support/temp-lake.ts'

const isThere = needs('moto')
const EXPIRED = '<Error><Code>ExpiredToken</Code><Message>expired</Message></Error>'
let known = 'key-1'
let relay: Relay | undefined
let stopStore: (() => Promise<void>) | undefined

beforeAll(async () => {
  if (!isThere) return
  const { env, stop } = await startBucket('lake')
  stopStore = stop
  relay = await relayTo(env.AWS_ENDPOINT_URL, ({ authorization }) =>
    authorization.includes(`Credential=${known}/`) ? undefined : { status: 400, body: EXPIRED },
  )
})

afterAll(async () => {
  relay?.stop()
  await stopStore?.()
})

/** Keys that end after two seconds, as the store knows them now. */
const keys = (): Promise<StoreKeys> =>
  Promise.resolve({
    keyId: new Secret(known),
    secretKey: new Secret('swordfish'),
    sessionToken: new Secret('token'),
    expiresAt_ms: Date.now() + 2000,
  })

test('the keys of an open lake are replaced before they expire', async (context) => {
  if (!isThere) context.skip('moto is not installed')
  known = 'key-1'
  const settings = {
    ...lakeSettingsIn(tempFolder()),
    data: 's3://lake/renewed',
    store: { endpoint: relay?.url ?? '', region: 'us-east-1', keys },
  }
  const lake = await openLake(settings)
  onTestFinished(() => lake.close())
  const connection = await lake.connect()
  onTestFinished(() => connection.closeSync())
  await connection.run("create table lake.main.written as select 'before' as word")
  known = 'key-2'
  const secrets = async () =>
    JSON.stringify(
      await rowsOf(
        connection,
        "select secret_string from duckdb_secrets() where name = 'lake_data'",
      ),
    )
  await vi.waitFor(async () => expect(await secrets()).toContain('key_id=key-2'), {
    timeout: 30_000,
    interval: 200,
  })
  expect(await secrets()).not.toContain('swordfish')
  await connection.run("insert into lake.main.written values ('after')")
  expect(await rowsOf(connection, 'select word from lake.main.written order by word')).toEqual([
    { word: 'after' },
    { word: 'before' },
  ])
})
