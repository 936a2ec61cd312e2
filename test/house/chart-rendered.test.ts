/**
 * Goal: the Helm chart gives manifests that fit together. Method: helm itself lints and renders it for several
 * installations. Continuous integration doesn't install helm, and a title says so there.
 */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { ROOT } from './project-files.ts'

const CHART = 'deploy/helm/tieout'
const SHARED = [
  '--set=temporal.address=temporal:7233',
  '--set=lake.catalog=postgres://lake@db:5432/lake',
  '--set=lake.data=s3://lake/data',
]
const CONSOLE = [
  '--set=web.enabled=true',
  '--set=config.web.user_header=x-user',
  '--set=config.web.users.ann=reviewer',
]

const isInstalled = spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0

function helm(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('helm', args, { cwd: ROOT, encoding: 'utf8' })
  return { status, said: status === 0 ? stdout : stderr }
}

const named = z.looseObject({ name: z.string() })
const Container = z.looseObject({
  ports: z.array(named).default([]),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
  securityContext: z.looseObject({ readOnlyRootFilesystem: z.literal(true) }),
  readinessProbe: z.looseObject({ httpGet: z.looseObject({ port: z.string() }) }).optional(),
})
const Pods = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({ containers: z.array(Container), volumes: z.array(named) }),
    }),
  }),
})
const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
type Manifest = z.infer<typeof Manifest>

function rendered(...args: string[]): Manifest[] {
  const of = ['template', 'books', CHART, '--kube-version', '1.30.0', ...args]
  const { status, said } = helm(...of)
  expect({ said: status === 0 ? '' : said, status }).toEqual({ said: '', status: 0 })
  return parseAllDocuments(said)
    .map((document): unknown => document.toJS())
    .filter((document) => document !== null)
    .map((document) => Manifest.parse(document))
}

/** Mounts and ports that a pod names and does not have. */
function complaints(manifest: Manifest): string[] {
  const { containers, volumes } = Pods.parse(manifest).spec.template.spec
  const has = new Set(volumes.map(({ name }) => name))
  return containers.flatMap(({ ports, volumeMounts, readinessProbe: probe }) => [
    ...volumeMounts.filter(({ name }) => !has.has(name)).map(({ name }) => `no volume ${name}`),
    ...(probe === undefined || ports.some(({ name }) => name === probe.httpGet.port)
      ? []
      : [`no port ${probe.httpGet.port}`]),
  ])
}

test('a pod that names a volume or a port that it does not have is reported', () => {
  const container = {
    volumeMounts: [{ name: 'lake', mountPath: '/data' }],
    securityContext: { readOnlyRootFilesystem: true },
    readinessProbe: { httpGet: { port: 'metrics' } },
  }
  const template = { metadata: { labels: {} }, spec: { containers: [container], volumes: [] } }
  const head = { apiVersion: 'v1', kind: 'Deployment', metadata: { name: 'x' } }
  expect(complaints({ ...head, spec: { template } })).toEqual(['no volume lake', 'no port metrics'])
})

if (!isInstalled) test('helm is not installed, so that the chart is not rendered here', () => {})
else {
  describe('the chart, rendered by helm', () => {
    test('helm lints the chart without a complaint', () => {
      const { status, said } = helm('lint', '--strict', CHART)
      expect({ status, said }).toMatchObject({ status: 0 })
      expect(said).toContain('0 chart(s) failed')
    })

    const ALWAYS = ['ConfigMap', 'Deployment', 'PersistentVolumeClaim', 'ServiceAccount']

    test.for([
      { of: 'one worker', args: [], more: ['PersistentVolumeClaim'] },
      { of: 'several workers', args: [...SHARED, '--set=replicas=3'], more: ['Job'] },
      { of: 'a console', args: CONSOLE, more: ['PersistentVolumeClaim', 'Service'] },
      {
        of: 'an upgrade of the lake',
        args: [...SHARED, '--set=upgrade.run=true'],
        more: ['Job', 'Job'],
      },
      {
        of: 'a monitor',
        args: [...SHARED, '--set=podMonitor.enabled=true'],
        more: ['Job', 'PodMonitor'],
      },
    ])(
      'an installation with $of has the parts it needs, and they fit together',
      ({ args, more }) => {
        const manifests = rendered(...args)
        expect(manifests.map(({ kind }) => kind).sort()).toEqual([...ALWAYS, ...more].sort())
        const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
        expect(pods.flatMap((manifest) => complaints(manifest))).toEqual([])
      },
    )

    test.for([
      {
        of: 'several workers over a local lake',
        args: ['--set=replicas=3'],
        why: 'several workers need',
      },
      { of: 'a console without its users', args: ['--set=web.enabled=true'], why: 'config.web' },
    ])('helm refuses $of, with the reason', ({ args, why }) => {
      const { status, said } = helm('template', CHART, '--kube-version', '1.30.0', ...args)
      expect(status).not.toBe(0)
      expect(said).toContain(why)
    })
  })
}
