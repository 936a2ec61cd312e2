/**
 * Goal: metrics, log and traces show the work and no secret. Method: a real run by a worker, read by Prometheus and
 * a collector.
 */
import { Connection } from '@temporalio/client'
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import type { RunResult } from '../../../domain/run.ts'
import { metricsCollector, tracesCollector } from '../../../workers/telemetry/collector.ts'
import { LOGGED } from '../../../workers/telemetry/log-ids.ts'
import { metricsOf, serveMetrics } from '../../../workers/telemetry/metrics-server.ts'
import { TASK_QUEUE } from '../../../workers/temporal/task-queue.ts'
import { readProject } from '../../house/project-files.ts'
import {
  newPlace,
  newPlaceWithLake,
  simulate,
  startTieout,
  tieout,
  type Place,
} from '../../support/built.ts'
import { startReceiver, type ReceivedSpan, type Receiver } from '../../support/otlp-receiver.ts'
import { encryptingClient } from '../../support/encrypting-client.ts'
import { requireProgram } from '../../support/outside-program.ts'

/** Metrics by name: the labels that each was seen with. A histogram stands there by the names of its parts. */
type Served = Map<string, Set<string>>

let page = ''
let served: Served
let result: RunResult
let logged: Record<string, unknown>[]
let plain: string[]
let secrets: string[]
let receiver: Receiver

beforeAll(async () => {
  const world = [
    '--terminals',
    '2',
    '--transactions',
    '300',
    '--from',
    '2026-10-20',
    '--days',
    '30',
  ]
  const service = await simulate(world, newPlace())
  secrets = [
    ...['TIEOUT_API_PASSWORD', 'TIEOUT_APPLICATION_KEY'].map((name) => service[name] ?? ''),
    'canary-hash-key',
  ]
  const env = { ...service, TIEOUT_ACCOUNT: 'acme', TIEOUT_HASH_KEY: 'canary-hash-key' }
  const place = newPlaceWithLake({
    ...env,
    TIEOUT_METRICS: '127.0.0.1:0',
    TIEOUT_LOG_LEVEL: 'info',
  })
  receiver = await startReceiver()
  const traced = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=open%20sesame',
  }
  const worker = startTieout(['worker'], { ...place, env: { ...place.env, ...traced } })
  const said = await worker.says('worker ready')
  const [, url = '', temporal = ''] =
    /metrics at (\S+?)"[^]*worker ready: Temporal (\S+),/.exec(said) ?? []
  const { stdout } = await tieout(['run', '--json'], place)
  result = JSON.parse(stdout)
  await failedRun(temporal, place)
  page = await until(url, ['temporal_workflow_failed_total{', 'tieout_exceptions_open{'])
  served = servedOn(page)
  worker.kill('SIGTERM')
  const { stderr } = await worker.ended
  receiver.close()
  const lines = stderr.trimEnd().split('\n')
  logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  plain = lines.filter((line) => !line.startsWith('{'))
})

/** A run that must fail, so that what counts failures is there. */
async function failedRun(address: string, place: Place): Promise<void> {
  const connection = await Connection.connect({ address })
  const args = [{ account: 'nobody', sweep: false }]
  const failed = encryptingClient(connection, place).workflow.execute('nightly', {
    ...{ workflowId: 'nightly/nobody', taskQueue: TASK_QUEUE, args },
  })
  await expect(failed).rejects.toThrow('Workflow execution failed')
  await connection.close()
}

/** The page once it holds these; the SDK counts with some delay, and a busy lake is not waited for. */
async function until(url: string, texts: readonly string[]): Promise<string> {
  for (;;) {
    const found = await (await fetch(url)).text()
    if (texts.every((text) => found.includes(text))) return found
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
}

function servedOn(text: string): Served {
  const found: Served = new Map()
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = found.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) names.add(label)
    found.set(name, names)
  }
  return found
}

const valueOf = (series: string) =>
  Number(
    page
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  )

describe('a worker serves metrics of its work and of its lake', () => {
  test('the open exceptions by code equal those in the answer of the run', () => {
    const open = [
      ...page.matchAll(
        /^tieout_exceptions_open\{account="acme",code="(\w+)",severity="\w+"\} (\d+)$/gm,
      ),
    ]
    expect(Object.fromEntries(open.map(([, code, n]) => [code, Number(n)]))).toEqual(
      result.exceptions,
    )
    expect(open.length).toBeGreaterThan(3)
    // Before the first night there were none.
    const added = page.matchAll(/^tieout_exceptions_new\{account="acme",code="(\w+)".*\} (\d+)$/gm)
    expect(Object.fromEntries([...added].map(([, code, n]) => [code, Number(n)]))).toEqual(
      result.exceptions,
    )
  })

  test('requests, pages, records and commits are counted', () => {
    const landed = (name: string, list: string) => valueOf(`${name}{account="acme",list="${list}"}`)
    expect(landed('tieout_records_total', 'transactions')).toBe(300)
    expect(landed('tieout_rejected_records_total', 'transactions')).toBeGreaterThan(0)
    expect(landed('tieout_new_versions_total', 'settlements')).toBeGreaterThan(0)
    const lists = ['terminals', 'settlements', 'transactions']
    const pages = lists.reduce((sum, list) => sum + landed('tieout_pages_total', list), 0)
    expect(pages).toBeGreaterThanOrEqual(4)
    expect(valueOf('tieout_requests_total{account="acme"}')).toBeGreaterThanOrEqual(pages)
    expect(valueOf('tieout_throttled_requests_total{account="acme"}')).toBe(0)
    expect(valueOf('tieout_lake_commits_total')).toBeGreaterThan(3)
    expect(valueOf('tieout_lake_retries_total')).toBeGreaterThanOrEqual(0)
  })

  test('the last good pack has an age, each list a certificate, and the lake a size', () => {
    const age = valueOf('tieout_last_good_pack_age_seconds{account="acme"}')
    expect(age >= 0 && age < Infinity).toBe(true)
    const certificates = [
      ...page.matchAll(/^tieout_sweep_certificate\{.*list="(\w+)",certificate="(\w+)"\} 1$/gm),
    ]
    expect(certificates.map(([, list]) => list).sort()).toEqual([
      ...['settlements', 'terminals', 'transactions'],
    ])
    expect(valueOf('tieout_nights_missing{account="acme"}')).toBe(0)
    expect(valueOf('tieout_unexplained_cents{account="acme"}')).toBeGreaterThan(0)
    expect(valueOf('tieout_quarantined_records{account="acme"}')).toBe(
      result.exceptions['QUARANTINED'],
    )
    expect(valueOf('tieout_lake_landing')).toBe(Number(result.knownAt))
    expect(valueOf('tieout_lake_bytes')).toBeGreaterThan(1000)
    expect(valueOf('tieout_lake_readable')).toBe(1)
    expect(valueOf('tieout_last_run_duration_seconds{account="acme"}')).toBeGreaterThanOrEqual(0)
    expect(page).toMatch(/^tieout_last_backup_age_seconds \+Inf$/m)
    expect(valueOf('process_start_time_seconds')).toBeGreaterThan(1_700_000_000)
    expect(page).toMatch(
      new RegExp(
        `^tieout_build_info\\{version="[^"]+",node="${process.versions.node}",duckdb="v1[^"]+"\\} 1$`,
        'm',
      ),
    )
  })

  test('Prometheus accepts the page without a complaint', (context) => {
    requireProgram(context, 'promtool')
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: page,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('no secret is on the page, and no label except names, codes and lists', () => {
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5)
      expect(page).not.toContain(secret)
    }
    const ours = [...served].filter(([name]) => name.startsWith('tieout_'))
    const labels = new Set(ours.flatMap(([, names]) => [...names]))
    expect([...labels].sort()).toEqual(
      ['account', 'certificate', 'code', 'duckdb', 'list', 'node', 'severity', 'version'].sort(),
    )
  })
})

describe('its log', () => {
  test('names account, run, workflow and result of every step', () => {
    const ended = logged.filter(({ msg }) => String(msg).endsWith(' ended'))
    const steps = new Set(ended.map(({ activityType }) => activityType))
    for (const step of ['sweepList', 'reconcile', 'publish']) {
      expect(steps).toContain(step)
      const lines = ended.filter(({ activityType }) => activityType === step)
      for (const line of lines) {
        expect(line).toMatchObject({ account: 'acme', run: result.runId })
        expect(String(line['workflowId'])).toMatch(/^nightly\/acme\//)
      }
    }
    expect(ended.find(({ list }) => list === 'transactions')).toMatchObject({
      done: true,
      requests: expect.any(Number),
      certificate: expect.any(String),
    })
  })

  test('has one form, except for the lines with which the command answers a signal and ends', () => {
    expect(plain).toEqual([
      expect.stringMatching(/^interrupted; this command is ending \(a second signal/),
      'interrupted',
    ])
    expect(logged.map(({ msg }) => String(msg))).toContainEqual(
      expect.stringMatching(/^worker ready: Temporal /),
    )
  })

  test('has the code of a failure and not its words', () => {
    const failed = logged.filter(({ code }) => code === 'config_invalid')
    expect(failed.length).toBeGreaterThan(0)
    expect(failed[0]).toMatchObject({ account: 'nobody', activityType: 'prepareRun' })
  })

  test('has no key but known ones, and no secret', () => {
    const known = [
      'level',
      'time',
      'msg',
      'code',
      'workflowId',
      'activityType',
      'attempt',
      ...LOGGED,
    ]
    const found = new Set(logged.flatMap((line) => Object.keys(line)))
    expect([...found].filter((key) => !known.includes(key))).toEqual([])
    for (const secret of secrets) expect(JSON.stringify(logged)).not.toContain(secret)
  })
})

const Rule = z.strictObject({
  alert: z.string().regex(/^Tieout[A-Z]\w+$/),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+[mh]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
  annotations: z.strictObject({ summary: z.string(), remedy: z.string() }),
})
const Rules = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule) })),
})
const Panel = z.strictObject({
  id: z.number(),
  type: z.enum(['stat', 'timeseries', 'state-timeline']),
  title: z.string().min(1),
  description: z.string(),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') }),
  gridPos: z.strictObject({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  targets: z
    .array(z.strictObject({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
    .min(1),
  fieldConfig: z.strictObject({
    defaults: z.looseObject({ unit: z.string() }),
    overrides: z.array(z.never()),
  }),
})
const Dashboard = z.looseObject({
  uid: z.literal('tieout'),
  title: z.string(),
  templating: z.strictObject({ list: z.array(z.looseObject({ name: z.string() })) }),
  panels: z.array(Panel).min(10),
})

const rules = Rules.parse(parse(readProject('deploy/prometheus/rules.yml'))).groups.flatMap(
  (group) => group.rules,
)
const dashboard = Dashboard.parse(JSON.parse(readProject('deploy/grafana/dashboards/tieout.json')))

/** Everything that an expression asks for and a worker doesn't serve: metrics, labels, brackets. */
function complaints(expr: string, legend: string): string[] {
  const names = [...expr.matchAll(/\b(?:tieout|temporal)_\w+/g)].map(([name]) => name)
  const labels = [
    ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
    ...[...legend.matchAll(/\{\{(\w+)\}\}|\$labels\.(\w+)/g)].map(([, a, b]) => a ?? b ?? ''),
  ]
  const known = new Set(names.flatMap((name) => [...(served.get(name) ?? [])]))
  const isClosed = expr.split('(').length === expr.split(')').length
  return [
    ...(names.length === 0 ? ['asks for no metric'] : []),
    ...names.filter((name) => !served.has(name)).map((name) => `${name} is served by nobody`),
    ...labels.filter((label) => !known.has(label)).map((label) => `there is no label ${label}`),
    ...(isClosed ? [] : ['the brackets are not closed']),
  ]
}

describe('the alert rules and the dashboard read metrics that a worker serves', () => {
  test('every rule', () => {
    expect(rules.length).toBeGreaterThan(8)
    const found = rules.flatMap(({ alert, expr, annotations }) =>
      complaints(expr, annotations.summary).map((what) => `${alert}: ${what}`),
    )
    expect(found).toEqual([])
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  test('every panel', () => {
    const found = dashboard.panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr, legendFormat }) =>
        complaints(expr, legendFormat).map((what) => `${title}: ${what}`),
      ),
    )
    expect(found).toEqual([])
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'account'])
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })

  test('every metric of ours is on the dashboard', () => {
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join()
    const ours = [...served.keys()].filter((name) => name.startsWith('tieout_'))
    expect(ours.length).toBeGreaterThan(20)
    expect(ours.filter((name) => !shown.includes(name))).toEqual([])
  })

  test.each([
    ['tieout_gone > 1', 'tieout_gone is served by nobody'],
    ['sum by (acount) (tieout_lake_files)', 'there is no label acount'],
    ['max(tieout_unexplained_cents{who="x"})', 'there is no label who'],
    ['max(tieout_lake_files', 'the brackets are not closed'],
    ['vector(1)', 'asks for no metric'],
  ])('the check reports that of %s %s', (expr, complaint) => {
    expect(complaints(expr, '')).toContain(complaint)
  })
})

describe('the address of the metrics', () => {
  let missing: string | undefined
  const pages = {
    ours: () => Promise.resolve('tieout_x 1\n'),
    readiness: () => Promise.resolve(missing),
    temporal: undefined,
  }

  test('the server answers GET of the page and of the health check, and nothing else', async () => {
    const server = await serveMetrics({ host: '127.0.0.1', port: 0, isAsked: true }, pages)
    const asked = async (path: string, method = 'GET') => {
      const answer = await fetch(`http://${server.address}${path}`, { method })
      return [answer.status, await answer.text()]
    }
    expect(await asked('/metrics')).toEqual([200, 'tieout_x 1\n'])
    expect(await asked('/health')).toEqual([200, 'ok\n'])
    expect(await asked('/ready')).toEqual([200, 'ready\n'])
    missing = 'lake_unreachable'
    expect(await asked('/ready')).toEqual([503, 'lake_unreachable\n'])
    expect(await asked('/')).toEqual([404, ''])
    expect(await asked('/metrics', 'POST')).toEqual([404, ''])
    await server.close()
  })

  test('a busy address ends a worker that was set to use it, and is only a warning otherwise', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve)
    })
    const { port } = other.address() as AddressInfo
    const place = { host: '127.0.0.1', port }
    const said: string[] = []
    const say = (line: string) => said.push(line)
    await expect(metricsOf({ ...place, isAsked: true }, pages, say)).rejects.toThrow(
      `metrics can't be served on 127.0.0.1:${port}`,
    )
    expect(await metricsOf({ ...place, isAsked: false }, pages, say)).toBeUndefined()
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/^warning: metrics can't be served on .* set TIEOUT_METRICS/)
    other.close()
  })

  const OF_ALL = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }
  const BY_HTTP = { ...OF_ALL, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }
  test.each([
    [{}, undefined, undefined],
    // OpenTelemetry's default is http/protobuf, and no traces are sent with gRPC.
    [OF_ALL, ['http://c:4318/v1/metrics', true], 'http://c:4318/v1/traces'],
    [
      { ...OF_ALL, OTEL_EXPORTER_OTLP_PROTOCOL: '' },
      ['http://c:4318/v1/metrics', true],
      'http://c:4318/v1/traces',
    ],
    [{ ...OF_ALL, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, ['http://c:4318/', false], undefined],
    [
      { ...OF_ALL, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc' },
      ['http://c:4318/', false],
      'http://c:4318/v1/traces',
    ],
    [BY_HTTP, ['http://c:4318/v1/metrics', true], 'http://c:4318/v1/traces'],
    [
      {
        ...BY_HTTP,
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m:1/x',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:1/y',
      },
      ['http://m:1/x', true],
      'http://t:1/y',
    ],
    [
      {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:1/y',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      },
      undefined,
      'http://t:1/y',
    ],
  ])('a collector of OpenTelemetry is used only if one is named: %o', (env, metrics, traces) => {
    const found = metricsCollector(env)
    expect(found === undefined ? undefined : [found.url, found.http]).toEqual(metrics)
    expect(tracesCollector(env)?.url).toBe(traces)
  })
})

describe('its traces', () => {
  const named = (name: string) => receiver.spans.filter((span) => span.name === name)
  const attributesOf = ({ attributes }: ReceivedSpan) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

  test('show a run from its first step to its pack, each step in the workflow that requested it', () => {
    const run = named('nightly').find(({ status }) => status === undefined)
    expect(run?.parentSpanId).toBeUndefined()
    const spans = receiver.spans.filter(({ traceId }) => traceId === run?.traceId)
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    expect(byId.size).toBe(spans.length)
    const paths = spans.map((span) => {
      const names = []
      for (let at: ReceivedSpan | undefined = span; at; at = byId.get(at.parentSpanId ?? '')) {
        names.unshift(at.name)
      }
      return names.join('/')
    })
    expect(new Set(paths)).toEqual(
      new Set([
        ...['nightly', 'nightly/checkSource', 'nightly/prepareRun', 'nightly/sweep'],
        ...['nightly/sweep/sweepList', 'nightly/reconcile', 'nightly/reconcile/reconcile'],
        ...['nightly/publish', 'nightly/publish/publish'],
      ]),
    )
    for (const span of spans) {
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name).toBe(true)
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(
        BigInt(run?.startTimeUnixNano ?? 0),
      )
    }
    expect(named('publish').map(attributesOf)).toContainEqual(
      expect.objectContaining({ account: 'acme', run: result.runId, attempt: '1' }),
    )
  })

  test('have the code of a failure and not its words', () => {
    const failed = receiver.spans.filter(({ status }) => status !== undefined)
    const told = { code: 2, message: 'config_invalid' }
    expect(failed.map(({ name, status }) => [name, status])).toEqual(
      expect.arrayContaining([
        ['prepareRun', told],
        ['nightly', told],
      ]),
    )
  })

  test('have ids, codes and counts, no secret, and come with the key of the collector', () => {
    const keys = new Set(receiver.spans.flatMap((span) => Object.keys(attributesOf(span))))
    expect([...keys].filter((key) => ![...LOGGED, 'workflowId', 'attempt'].includes(key))).toEqual(
      [],
    )
    expect(receiver.bodies.length).toBeGreaterThan(0)
    for (const secret of [...secrets, 'open sesame']) {
      expect(receiver.bodies.join('')).not.toContain(secret)
    }
    expect(new Set(receiver.keys)).toEqual(new Set(['open sesame']))
  })
})
