/**
 * Goal: no error quotes a secret. Method: each wrong setting, refused login and broken server that is cheap to make, with
 * a secret in the place that is wrong.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { reportOf } from '../../../cli/shell/failures.ts'
import { readAccounts } from '../../../workers/config/settings.ts'
import { shownSettings } from '../../../workers/config/shown-settings.ts'
import { startSimulator, type Simulator } from '../../../simulator/service/server.ts'
import { simulatorOptions } from '../../../simulator/world/options.ts'
import { startTieout, type Ended } from '../../support/built.ts'
import { emptyLakeIn } from '../../support/lake-template.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import { commandsIn, END, forbidden, placeIn, RANGE, WORLD } from './privacy-world.ts'
import { searchFor, type Finding } from './search.ts'

/** The secret of every case; its name says that it may never be printed. */
const SECRET = 'Neverprint-4c2a77e0'
const OTHER = searchFor([SECRET, Buffer.from(`privacy-reader:${SECRET}`).toString('base64')])

let simulator: Simulator
beforeAll(async () => {
  const options = simulatorOptions({ ...WORLD, terminals: 2, transactions: 300 })
  simulator = await startSimulator(options, { now: END })
  return () => simulator.stop()
})

interface Scene {
  folder: string
  env: Record<string, string>
  command(args: readonly string[], more?: Record<string, string>): Promise<Ended>
  /** Searches everything that the commands wrote and printed for any secret. */
  found(): Promise<Finding[]>
}

function scene(): Scene {
  const folder = tempFolder()
  const place = placeIn(folder, simulator.url)
  const found = async () => [
    ...(await forbidden.inFolder(folder)),
    ...(await OTHER.inFolder(folder)),
  ]
  return { folder, env: place.env, command: commandsIn(place), found }
}

const RUN = ['run', ...RANGE]

/** The words of `run` and `config show` about these settings. */
function wordsAbout(env: Record<string, string>): { code: string; text: string } {
  const words: unknown[] = []
  try {
    readAccounts({}, 'source', env)
  } catch (error) {
    words.push(reportOf(error))
  }
  try {
    words.push(shownSettings({}, env))
  } catch (error) {
    words.push(reportOf(error))
  }
  const text = JSON.stringify(words)
  return { code: /"code":"(\w+)"/.exec(text)?.[1] ?? 'none', text }
}

describe('a config file with a secret in it is refused without the secret:', () => {
  test.each([
    ['a key that does not exist', `password: ${SECRET}\n`],
    ['an address with a password', `base_url: https://u:${SECRET}@api.example.test/\n`],
    ['a value of another type', `base_url: [${SECRET}]\n`],
    ['a value outside of the allowed ones', `currency: ${SECRET}\n`],
    ['a path', `source:\n  paths:\n    transactions: ${SECRET}\n`],
    ['a line that is no YAML', `base_url: "${SECRET}\n`],
    ['a missing anchor', `base_url: *${SECRET}\n`],
    ['an account', `accounts:\n  - name: a\n    hash_key: ${SECRET}\n`],
  ])('%s', (_, text) => {
    const { folder, env } = scene()
    const file = join(folder, 'tieout.yaml')
    writeFileSync(file, text)
    const words = wordsAbout({ ...env, TIEOUT_BASE_URL: '', TIEOUT_CONFIG: file })
    expect(words.code).toBe('config_invalid')
    expect(OTHER.inText('words', words.text)).toEqual([])
  })
})

describe('a variable with a secret in it is refused without the secret:', () => {
  test.each<[string, Record<string, string>]>([
    ['an address with a password', { TIEOUT_BASE_URL: `https://u:${SECRET}@api.example.test/` }],
    ['a webhook that is no address', { TIEOUT_WEBHOOK_URL: SECRET }],
    ['a webhook without encryption', { TIEOUT_WEBHOOK_URL: `http://example.test/${SECRET}` }],
    ['a database with a password', { TIEOUT_LAKE: `postgres://u:${SECRET}@127.0.0.1:1/lake` }],
    ['a password in the words of libpq', { TIEOUT_LAKE: `postgres:password=${SECRET} host=x` }],
  ])('%s', (_, variables) => {
    const words = wordsAbout({ ...scene().env, ...variables })
    expect(words.code).toBe('config_invalid')
    expect(OTHER.inText('words', words.text)).toEqual([])
    expect(forbidden.inText('words', words.text)).toEqual([])
  })

  test('a secret file that cannot be read, and a name that means nothing', async () => {
    const { folder, command, found } = scene()
    const variables = {
      TIEOUT_API_PASSWORD: '',
      TIEOUT_API_PASSWORD_FILE: join(folder, 'absent'),
      TIEOUT_PASSWORT: SECRET,
    }
    const { code, stderr } = await command(RUN, variables)
    expect([code, /TIEOUT_PASSWORT/.test(stderr)]).toEqual([2, true])
    expect(await found()).toEqual([])
  })
})

describe('a failure at run time says nothing of the secret that led to it:', () => {
  test('a wrong password, for a run and for the doctor', async () => {
    const { command, found } = scene()
    const wrong = { TIEOUT_API_PASSWORD: SECRET }
    const { code, stderr } = await command(RUN, wrong)
    expect([code, stderr]).toEqual([3, expect.stringContaining('source_unauthorized')])
    await command(['doctor', '--source', '--deep', '--json'], wrong)
    await command(['doctor'], wrong)
    expect(await found()).toEqual([])
  })

  test('an application key that no header can hold', async () => {
    const { command, found } = scene()
    const { code } = await command(RUN, { TIEOUT_APPLICATION_KEY: `${SECRET}\nmore` })
    expect(code).toBeGreaterThan(0)
    expect(await found()).toEqual([])
  })

  test('a webhook that does not answer, another hash key, and the SQL of a person', async () => {
    const { folder, command, found } = scene()
    const hook = { TIEOUT_WEBHOOK_URL: `http://127.0.0.1:1/${SECRET}?token=${SECRET}` }
    const first = await command(RUN, hook)
    const unreached = "the webhook can't be reached"
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(unreached)])
    const second = await command(RUN, { TIEOUT_HASH_KEY: SECRET })
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('config_invalid')])
    const refused = []
    for (const statement of [
      `select getenv('TIEOUT_API_PASSWORD')`,
      `select * from read_text('/proc/self/environ')`,
      `select * from duckdb_secrets()`,
      `select * from duckdb_variables()`,
      `select "terminalName"::int from settlements`,
      `attach '${join(folder, 'lake', 'catalog.sqlite')}' as c (type sqlite)`,
    ]) {
      const { code } = await command(['query', statement])
      if (code !== 0) refused.push(statement)
    }
    expect(refused.length).toBeGreaterThanOrEqual(4)
    expect(await found()).toEqual([])
  })

  test('a Temporal service and a database that do not answer, with keys for both', async () => {
    const { command, found } = scene()
    const temporal = { TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_API_KEY: SECRET }
    expect((await command(RUN, temporal)).stderr).toContain('temporal_unreachable')
    const lake = { TIEOUT_LAKE: 'postgres://u@127.0.0.1:1/x', TIEOUT_LAKE_PASSWORD: SECRET }
    const data = {
      ...{ TIEOUT_LAKE_DATA: 's3://bucket/prefix', AWS_ENDPOINT_URL: 'http://127.0.0.1:1' },
      ...{ AWS_ACCESS_KEY_ID: `Id${SECRET}`, AWS_SECRET_ACCESS_KEY: SECRET },
    }
    for (const args of [['status'], ['doctor']]) {
      expect((await command(args, { ...lake, ...data })).code).toBeGreaterThan(0)
    }
    expect(await found()).toEqual([])
  })

  test('a payload that another key encrypted', async () => {
    const { folder, command, found } = scene()
    emptyLakeIn(folder)
    const worker = startTieout(['worker'], placeIn(folder, simulator.url))
    await worker.says('worker ready')
    const act = ['periods', 'close', '2025-10', '--by', 'Ada', '--reason', 'done']
    const refused = await command(act, { TIEOUT_PAYLOAD_KEY: SECRET })
    expect([refused.code, refused.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('payload_refused'),
    ])
    worker.kill('SIGTERM')
    const { stdout, stderr } = await worker.ended
    writeFileSync(join(folder, 'worker.txt'), stdout + stderr)
    expect(stdout + stderr).toContain('payload_refused')
    expect(await found()).toEqual([])
  })
})
