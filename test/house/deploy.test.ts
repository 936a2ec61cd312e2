/**
 * Goal: the files of an installation agree with the program. Method: each file is read and judged, then broken in
 * one place.
 */
import { Ajv } from 'ajv'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { DEFAULTS } from '../../simulator/world/options.ts'
import {
  Compose,
  envFile,
  imageRecipeComplaints,
  instructions,
  interpolated,
  isIgnored,
  passedOn,
  serviceComplaints,
  settingsComplaints,
} from './deploy-rules.ts'
import { newFolder } from '../support/lake-template.ts'
import { readProject, ROOT } from './project-files.ts'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true }))

const TRY = envFile(readProject('deploy/try.env'))
const dockerfile = readProject('Dockerfile')
const dockerignore = readProject('.dockerignore')

/** The compose file with the values of an env file, before compose looks at its keys. */
function raw(env: Record<string, string> = TRY): unknown {
  const file: unknown = parse(readProject('docker-compose.yml'), { merge: true })
  return mapText(file, (text) => interpolated(text, env))
}

/** The compose file with the values of an env file, as compose sees it. */
const composed = (env: Record<string, string> = TRY): Compose =>
  Compose.parse(passedOn(raw(env), env))

function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapText(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapText(item, change)]),
  )
}

function serviceOf(compose: Compose, name: string) {
  const service = compose.services[name]
  if (service === undefined) throw new Error(`there is no service ${name}`)
  return service
}

/** A copy of a secret with the rights that the settings ask for; a checkout has those of Git. */
function ownCopy(file: string): string {
  const copy = join(folder, basename(file))
  if (existsSync(file)) writeFileSync(copy, readFileSync(file), { mode: 0o600 })
  return copy
}

const container = {
  image: Object.fromEntries(
    instructions(dockerfile)
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ rest }) => rest.split(' '))
      .map((pair) => pair.split('=') as [string, string]),
  ),
  secretFiles: Object.fromEntries(
    Object.entries(composed().secrets).map(([name, { file }]) => [name, ownCopy(join(ROOT, file))]),
  ),
}

describe('the schema of the Compose Specification', () => {
  // Ajv knows this draft by an address that begins otherwise.
  const { $schema: _, ...schema } = JSON.parse(readProject('test/house/compose-spec.json'))
  const check = new Ajv({ strict: false, allErrors: true }).compile(schema)
  const errorsOf = (file: unknown): string[] => {
    check(file)
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  test('accepts docker-compose.yml, and the files that docs/operations.md shows', () => {
    expect(errorsOf(raw())).toEqual([])
    const blocks = readProject('docs/operations.md').matchAll(/```yaml\n(services:[^]*?)```/g)
    const shown = [...blocks].map(([, block = '']): unknown => parse(block))
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.flatMap(errorsOf)).toEqual([])
  })

  test.each([
    ['an unknown key at the top', { service: {} }, ' must NOT have additional properties'],
    [
      'an unknown key of a service',
      { services: { db: { enviroment: {} } } },
      '/services/db must NOT have additional properties',
    ],
    [
      'a number for a text',
      { services: { db: { image: 16 } } },
      '/services/db/image must be string',
    ],
    [
      'an unknown condition of a dependency',
      { services: { db: { depends_on: { store: { condition: 'service_ready' } } } } },
      '/services/db/depends_on/store/condition must be equal to one of the allowed values',
    ],
    [
      'a text for a list',
      { services: { db: { cap_drop: 'ALL' } } },
      '/services/db/cap_drop must be array',
    ],
  ])('refuses %s', (_title, broken, error) => {
    expect(errorsOf(broken)).toContain(error)
  })
})

describe('docker-compose.yml', () => {
  test('keeps every rule', () => {
    expect(Object.keys(composed().services)).toContain('worker')
    expect(serviceComplaints(composed())).toEqual([])
  })

  test('says which variables must be set, and needs no others', () => {
    for (const name of ['TIEOUT_BASE_URL', 'TIEOUT_API_USER']) {
      expect(() => composed({ ...TRY, [name]: '' })).toThrow(`${name} is not set`)
    }
    const { TIEOUT_BASE_URL = '', TIEOUT_API_USER = '' } = TRY
    expect(serviceComplaints(composed({ TIEOUT_BASE_URL, TIEOUT_API_USER }))).toEqual([])
  })

  test('the simulator, Prometheus and Grafana run only on request', () => {
    const idle = Object.entries(composed().services).filter(([, { profiles }]) => profiles)
    expect(idle.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['simulator', ['try']],
      ['prometheus', ['watch']],
      ['alertmanager', ['watch']],
      ['alert-printer', ['watch']],
      ['grafana', ['watch']],
    ])
    expect(TRY['COMPOSE_PROFILES']).toBe('try')
  })

  test('many workers can run: each has its own storage, and all share catalog, store and packs', () => {
    const { environment, ports, volumes } = serviceOf(composed(), 'worker')
    expect(environment['TIEOUT_LAKE']).toBe('postgres://lake@db:5432/lake')
    expect(environment['TIEOUT_LAKE_DATA']).toBe('s3://lake/data')
    expect([ports, volumes]).toEqual([[], ['/app/data', 'packs:/out']])
    const { services } = composed()
    expect(services['store-folder']?.command?.join('')).toContain('mkdir -p /store/lake ')
    const catalog = services['lake-catalog']?.command?.join('') ?? ''
    expect(catalog).toContain('create database lake owner lake')
    expect(catalog).toContain('create role lake login')
  })

  test('the health check and Prometheus read the worker’s own metrics address', () => {
    const { environment, healthcheck } = serviceOf(composed(), 'worker')
    const port = environment['TIEOUT_METRICS']?.split(':')[1] ?? 'none'
    expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${port}/health`)
    const { scrape_configs } = parse(readProject('deploy/prometheus/prometheus.yml'))
    const [
      {
        dns_sd_configs: [target],
      },
    ] = scrape_configs
    expect([target.names, String(target.port)]).toEqual([['worker'], port])
  })

  test('every path in the settings of Prometheus and Grafana is mounted there', () => {
    const mounted = (name: string, path: string) => {
      const volume = serviceOf(composed(), name).volumes.find((one) => {
        const [, target = ''] = one.split(':')
        return path.startsWith(`${target}/`) || path === target
      })
      const [source = '', target = ''] = volume?.split(':') ?? []
      return join(source, path.slice(target.length))
    }
    const { rule_files } = parse(readProject('deploy/prometheus/prometheus.yml'))
    expect(rule_files.map((path: string) => mounted('prometheus', path))).toEqual([
      'deploy/prometheus/rules.yml',
    ])
    const { providers } = parse(readProject('deploy/grafana/provisioning/dashboards/tieout.yml'))
    expect(mounted('grafana', providers[0].options.path)).toBe('deploy/grafana/dashboards')
    const { datasources } = parse(
      readProject('deploy/grafana/provisioning/datasources/prometheus.yml'),
    )
    expect(datasources[0].url).toBe('http://prometheus:9090')
    expect(mounted('grafana', '/etc/grafana/provisioning')).toBe('deploy/grafana/provisioning')
  })

  test('Prometheus hands alerts to Alertmanager, and that to a receiver that runs beside it', () => {
    const { alerting } = parse(readProject('deploy/prometheus/prometheus.yml'))
    expect(alerting.alertmanagers).toEqual([
      { static_configs: [{ targets: ['alertmanager:9093'] }] },
    ])
    const { command, ports, volumes } = serviceOf(composed(), 'alertmanager')
    expect(command?.[0]).toBe('--config.file=/etc/alertmanager/alertmanager.yml')
    expect(volumes).toEqual(['./deploy/alertmanager:/etc/alertmanager:ro'])
    expect(ports).toEqual(['127.0.0.1:9093:9093'])
    const { route, receivers } = parse(readProject('deploy/alertmanager/alertmanager.yml'))
    const [receiver] = receivers.filter(({ name }: { name: string }) => name === route.receiver)
    const { hostname } = new URL(receiver.webhook_configs[0].url)
    expect(serviceOf(composed(), hostname).command).toEqual(['node', '/alerts/print-alerts.mjs'])
  })

  test('the try-out receiver prints each alert, and refuses what is none', async () => {
    const child = spawn(process.execPath, [join(ROOT, 'deploy/alertmanager/print-alerts.mjs')], {
      env: { PORT: '18095' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    const post = (body: string) =>
      fetch('http://127.0.0.1:18095/', { method: 'POST', body }).then(
        ({ status }) => status,
        () => undefined,
      )
    while ((await post('no alert')) === undefined) await sleep(50)
    expect(await post('no alert')).toBe(400)
    const alert = { status: 'firing', labels: { account: 'acme' }, annotations: { summary: 'x' } }
    const [[printed], status] = await Promise.all([
      once(child.stdout, 'data'),
      post(JSON.stringify({ alerts: [alert] })),
    ])
    expect(status).toBe(200)
    expect(JSON.parse(String(printed))).toEqual({ status: 'firing', account: 'acme', summary: 'x' })
  })

  test('the image has the extensions of every kind of lake', () => {
    const fetched = readProject('deploy/fetch-extensions.mjs')
    const used = [
      ...readProject('lake/connection/open.ts').matchAll(/'(ducklake|httpfs|\w+_scanner)'/g),
    ]
    expect(used.length).toBeGreaterThan(3)
    for (const [quoted] of used) expect(fetched).toContain(quoted)
  })

  test('a worker has more time to stop than it needs to give its work back', () => {
    expect(
      Number.parseInt(serviceOf(composed(), 'worker').stop_grace_period ?? '', 10),
    ).toBeGreaterThan(30)
  })

  type Change = (compose: Compose, service: (name: string) => Compose['services'][string]) => void
  const BROKEN: [string, Change][] = [
    ['db: image postgres:latest is not pinned', (_, of) => (of('db').image = 'postgres:latest')],
    ['db: image postgres is not pinned', (_, of) => (of('db').image = 'postgres')],
    ['db: image postgres:16 is not pinned', (_, of) => (of('db').image = 'postgres:16')],
    ['worker: there is no Dockerfile in docs', (_, of) => (of('worker').build = 'docs')],
    [
      'temporal-ui: port 8080:8080 is not on the loopback address alone',
      (_, of) => (of('temporal-ui').ports = ['8080:8080']),
    ],
    [
      'temporal-ui: port 0.0.0.0:8080:8080 is not on the loopback address alone',
      (_, of) => (of('temporal-ui').ports = ['0.0.0.0:8080:8080']),
    ],
    [
      'temporal: ./deploy/gone is not in the project',
      (_, of) => (of('temporal').volumes = ['./deploy/gone:/etc/gone:ro']),
    ],
    [
      'temporal: ./deploy is not mounted read-only',
      (_, of) => (of('temporal').volumes = ['./deploy:/etc/deploy']),
    ],
    [
      'worker: there is no volume lakes',
      (_, of) => (of('worker').volumes = ['lakes:/data', 'packs:/out']),
    ],
    [
      'worker: volume lake has no place in the container',
      (_, of) => (of('worker').volumes = ['lake', 'packs:/out']),
    ],
    [
      'worker: TIEOUT_HASH_KEY would hold a secret in the environment',
      (_, of) => (of('worker').environment['TIEOUT_HASH_KEY'] = 'x'),
    ],
    ['worker: hash-key is not granted', (_, of) => of('worker').secrets.pop()],
    ['simulator: hash-key is not read', (_, of) => (of('simulator').secrets = ['hash-key'])],
    ['worker: there is no secret hash-key', (compose) => delete compose.secrets['hash-key']],
    [
      'worker: waits for postgres, which is no service',
      (_, of) => (of('worker').depends_on = { postgres: { condition: 'service_started' } }),
    ],
    [
      'temporal-ui: waits for the health of grafana, which has no check',
      (_, of) => (of('temporal-ui').depends_on = { grafana: { condition: 'service_healthy' } }),
    ],
    [
      'temporal: waits for the end of temporal-schema, which is always started again',
      (_, of) => (of('temporal-schema').restart = 'unless-stopped'),
    ],
    [
      'simulator: shares the network of worker without waiting for it',
      (_, of) => (of('simulator').depends_on = {}),
    ],
    [
      'temporal: the health check calls CMD curl, which the image may not hold',
      (_, of) => Object.assign(of('temporal').healthcheck ?? {}, { test: ['CMD', 'curl', 'x'] }),
    ],
    ['worker: runs as root', (_, of) => delete of('worker').user],
    ['worker: runs as root', (_, of) => (of('worker').user = '0:0')],
    ['worker: has a writable file system', (_, of) => (of('worker').read_only = false)],
    ['db: has a log without a limit', (_, of) => delete of('db').logging],
    ['worker: has no limit of memory', (_, of) => delete of('worker').mem_limit],
    ['worker: keeps capabilities', (_, of) => (of('worker').cap_drop = ['NET_RAW'])],
    ['temporal: may gain privileges', (_, of) => delete of('temporal').security_opt],
    ['worker: there is no command work', (_, of) => (of('worker').command = ['work'])],
    [
      'simulator: simulate has no option --records',
      (_, of) => (of('simulator').command = ['simulate', '--records', '5']),
    ],
  ]
  test.each(BROKEN)('the rules report: %s', (complaint, change) => {
    const compose = composed()
    change(compose, (name) => serviceOf(compose, name))
    expect(serviceComplaints(compose)).toContain(complaint)
  })

  test('the rules report an unknown key of compose, at the top and in a service', () => {
    const compose = composed()
    expect(Compose.safeParse({ ...compose, service: {} }).success).toBe(false)
    Object.assign(serviceOf(compose, 'worker'), { enviroment: {} })
    expect(Compose.safeParse(compose).success).toBe(false)
  })

  test('the rules report a lone dollar and a variable that is not set', () => {
    expect(interpolated('$$a ${B:-c} ${D:?e}', { D: 'd' })).toBe('$a c d')
    expect(() => interpolated('$(cat x)', {})).toThrow('a lone $')
    expect(() => interpolated('${B}', {})).toThrow('B is not set')
  })
})

describe('the worker accepts the settings of docker-compose.yml', () => {
  test('every variable is read, every value is accepted, and lake and packs are in volumes', () => {
    expect(settingsComplaints(serviceOf(composed(), 'worker'), container)).toEqual([])
  })

  const PLAIN = {
    TIEOUT_WEBHOOK_URL: 'https://hooks.example.com/x',
    TIEOUT_WEBHOOK_KEY: 'key of the webhook',
    TIEOUT_PAYLOAD_KEY: 'a long key of the payloads, 0123456789abcdef',
  }
  const PROXY = {
    HTTPS_PROXY: 'http://proxy:3128',
    HTTP_PROXY: 'http://proxy:3128',
    NO_PROXY: '.example.com',
  }

  test('webhook, payload key and proxy are passed on where they are set, and absent elsewhere', () => {
    const files = Object.fromEntries(
      Object.entries(PLAIN).map(([name, value]) => {
        const file = join(folder, name)
        writeFileSync(file, value, { mode: 0o600 })
        return [`${name}_FILE`, file]
      }),
    )
    for (const given of [{ ...PLAIN, ...PROXY }, files]) {
      const worker = serviceOf(composed({ ...TRY, ...given }), 'worker')
      expect(worker.environment).toMatchObject(given)
      expect(settingsComplaints(worker, container)).toEqual([])
    }
    const names = Object.keys(serviceOf(composed(), 'worker').environment)
    expect(names.filter((name) => /WEBHOOK|PAYLOAD|PROXY/.test(name))).toEqual([])
  })

  test('the page names each of these variables, and its example of a secret keeps the rules', () => {
    const page = readProject('docs/operations.md')
    for (const name of Object.keys({ ...PLAIN, ...PROXY })) expect(page).toContain(`\`${name}\``)
    const [, block = ''] = /```yaml\n(services:[^]*?)```/.exec(page) ?? []
    const more = parse(block)
    const compose = composed()
    const worker = serviceOf(compose, 'worker')
    Object.assign(worker.environment, more.services.worker.environment)
    worker.secrets.push(...more.services.worker.secrets)
    Object.assign(compose.secrets, more.secrets)
    expect(serviceComplaints(Compose.parse(compose))).toEqual([])
    expect(worker.environment).toHaveProperty('TIEOUT_WEBHOOK_URL_FILE')
  })

  test.each([
    ['TIEOUT_TIME_ZONE is read by nobody', { TIEOUT_TIME_ZONE: 'UTC' }],
    ['TEMPORAL_HOST is read by nobody', { TEMPORAL_HOST: 'temporal' }],
    ['/elsewhere is in no volume', { TIEOUT_LAKE: '/elsewhere' }],
    ['no Temporal service is configured', { TEMPORAL_ADDRESS: undefined }],
    [
      'config_invalid: TIEOUT_TIMEZONE is not an IANA time zone such as America/New_York',
      { TIEOUT_TIMEZONE: 'Mars' },
    ],
    [
      "config_invalid: TIEOUT_HASH_KEY_FILE names a file that can't be read: there is no such file or folder (ENOENT)",
      { TIEOUT_HASH_KEY_FILE: '/run/secrets/gone' },
    ],
  ])('the rules report: %s', (complaint, change) => {
    const worker = serviceOf(composed(), 'worker')
    const environment = Object.fromEntries(
      Object.entries({ ...worker.environment, ...change }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    )
    expect(settingsComplaints({ ...worker, environment }, container)).toContain(complaint)
  })

  test('the trial service has the credentials and the address of the simulator', () => {
    const { credentials, basePath } = DEFAULTS
    expect(TRY['TIEOUT_API_USER']).toBe(credentials.user)
    expect(readProject('deploy/try/api-password').trim()).toBe(credentials.password)
    expect(readProject('deploy/try/application-key').trim()).toBe(credentials.applicationKey)
    const { command = [] } = serviceOf(composed(), 'simulator')
    const port = command[command.indexOf('--port') + 1]
    expect(TRY['TIEOUT_BASE_URL']).toBe(`http://127.0.0.1:${port}${basePath}`)
  })
})

describe("Temporal's own settings", () => {
  const Dynamic = z.record(z.string(), z.tuple([z.strictObject({ value: z.unknown() })]))

  test('the settings file of the Temporal server is mounted, and equals the settings of the embedded server', () => {
    const { environment, volumes } = serviceOf(composed(), 'temporal')
    const [source, target] = volumes[0]?.split(':') ?? []
    const told = `/etc/temporal/${environment['DYNAMIC_CONFIG_FILE_PATH']}`
    expect(told.startsWith(`${target}/`)).toBe(true)
    const file = join(source ?? '', told.slice((target ?? '').length))
    const dynamic = Dynamic.parse(parse(readProject(file)))
    const embedded = readProject('workers/temporal/dev-server.ts')
    expect(Object.keys(dynamic)).toHaveLength(3)
    for (const [key, [{ value }]] of Object.entries(dynamic)) {
      expect(embedded).toContain(`'${key}=${String(value)}'`)
    }
  })

  test('the worker and the web pages use the namespace that is created', () => {
    const { services } = composed()
    const script = services['temporal-namespace']?.command?.join('\n') ?? ''
    const namespace = services['worker']?.environment['TEMPORAL_NAMESPACE'] ?? 'none'
    expect(script).toContain(`namespace create -n ${namespace} `)
    expect(services['temporal-ui']?.environment['TEMPORAL_DEFAULT_NAMESPACE']).toBe(namespace)
  })
})

describe('the Dockerfile', () => {
  test('copies what there is, runs what there is, on a pinned base, not as root', () => {
    expect(imageRecipeComplaints(dockerfile, dockerignore)).toEqual([])
  })

  test.each([
    [
      'the base node:24-alpine is not a pinned Node 24 on glibc',
      'node:24.21.0-bookworm-slim\n',
      'node:24-alpine\n',
    ],
    ['gone.json is copied and not in the project', 'package-lock.json', 'gone.json'],
    ['docs is copied and kept out by .dockerignore', 'COPY . .', 'COPY docs ./'],
    ['sql is not in the image', 'COPY --from=build /app/sql ./sql\n', ''],
    [
      'sql is copied twice',
      'COPY --from=build /app/sql ./sql\n',
      'COPY --from=build /app/sql ./sql\nCOPY --from=build /app/sql ./sql\n',
    ],
    ['the image runs as root', 'USER node\n', ''],
    ['the image runs as root', 'USER node', 'USER root'],
    ['the entry bin/gone.mjs is not in the project', '"bin/tieout.mjs"', '"bin/gone.mjs"'],
    ['there is no command serve', '"worker"', '"serve"'],
  ])('the rules report: %s', (complaint, text, instead) => {
    expect(dockerfile).toContain(text)
    expect(imageRecipeComplaints(dockerfile.replace(text, instead), dockerignore)).toContain(
      complaint,
    )
  })

  test('.dockerignore lets the build in, and excludes secrets, lake and packs', () => {
    const { include }: { include: string[] } = JSON.parse(readProject('tsconfig.build.json'))
    const built = [...include, 'bin', 'sql', 'tsconfig.json', 'tsconfig.build.json']
    const wanted = [...built, 'api/http/source.ts', '.npmrc', 'deploy/fetch-extensions.mjs']
    expect(wanted.filter((path) => isIgnored(dockerignore, path))).toEqual([])
    const kept = [
      'deploy/secrets/api-password',
      'data/catalog.sqlite',
      'out/default',
      '.env',
      '.git/config',
      'tieout.yaml',
    ]
    expect(kept.filter((path) => !isIgnored(dockerignore, path))).toEqual([])
  })
})
