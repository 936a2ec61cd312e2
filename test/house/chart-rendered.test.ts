/**
 * Goal: the Helm chart gives manifests that fit together. Method: helm itself lints and renders it for several
 * installations. Continuous integration doesn't install helm, and lists a skip instead, which is no failure there.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { newFolder } from '../support/lake-template.ts'
import { requireProgram } from '../support/outside-program.ts'
import { ROOT } from './project-files.ts'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true }))

const CHART = 'deploy/helm/tieout'
const TEMPORAL = '--set=temporal.address=temporal:7233'
const SHARED = ['--set=lake.catalog=postgres://lake@db:5432/lake', '--set=lake.data=s3://lake/data']
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

/** The manifests as helm prints them, without a flag for the version of the cluster. */
function printed(...args: string[]): string {
  const { status, said } = helm('template', 'books', CHART, TEMPORAL, ...args)
  expect({ said: status === 0 ? '' : said, status }).toEqual({ said: '', status: 0 })
  return said
}

function rendered(...args: string[]): Manifest[] {
  return parseAllDocuments(printed(...args))
    .map((document): unknown => document.toJS())
    .filter((document) => document !== null)
    .map((document) => Manifest.parse(document))
}

/** Checks manifests against the schemas of a version of Kubernetes. Extensions of a cluster have no schema. */
function validated(manifests: string, version: string): { status: number | null; said: string } {
  const file = join(folder, 'manifests.yaml')
  writeFileSync(file, manifests)
  const { status, stdout, stderr } = spawnSync(
    'kubernetes-validate',
    ['--strict', '--kubernetes-version', version, file],
    { encoding: 'utf8' },
  )
  return { status, said: `${stdout}${stderr}` }
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

if (!isInstalled) {
  test('helm renders the chart', ({ skip }) => skip('helm is not installed, and is never required'))
} else {
  describe('the chart, rendered by helm', () => {
    test('helm lints the chart without a complaint', () => {
      const { status, said } = helm('lint', '--strict', CHART, TEMPORAL)
      expect({ status, said }).toMatchObject({ status: 0 })
      expect(said).toContain('0 chart(s) failed')
    })

    const ALWAYS = ['ConfigMap', 'Deployment', 'Job', 'PersistentVolumeClaim', 'ServiceAccount']
    const INSTALLATIONS = [
      { of: 'one worker', args: [], more: ['PersistentVolumeClaim'] },
      { of: 'several workers', args: [...SHARED, '--set=replicas=3'], more: [] },
      { of: 'a console', args: CONSOLE, more: ['PersistentVolumeClaim', 'Service'] },
      {
        of: 'an upgrade of the lake',
        args: [...SHARED, '--set=upgrade.run=true'],
        more: ['Job'],
      },
      {
        of: 'a monitor',
        args: [...SHARED, '--set=podMonitor.enabled=true'],
        more: ['PodMonitor'],
      },
    ]

    test.for(INSTALLATIONS)(
      'an installation with $of has the parts it needs, and they fit together',
      ({ args, more }) => {
        const manifests = rendered(...args)
        expect(manifests.map(({ kind }) => kind).sort()).toEqual([...ALWAYS, ...more].sort())
        const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
        expect(pods.flatMap((manifest) => complaints(manifest))).toEqual([])
      },
    )

    test.for(INSTALLATIONS)(
      'an installation with $of agrees with the schemas of an old and of a new Kubernetes',
      ({ args }, context) => {
        requireProgram(context, 'kubernetes-validate')
        const manifests = printed(...args)
        for (const version of ['1.27', '1.37']) {
          const { status, said } = validated(manifests, version)
          expect({ status, said }).toMatchObject({ status: 0 })
          expect(said.match(/passed for resource deployment/g)).toHaveLength(1)
        }
      },
    )

    test('a key and a value that Kubernetes does not know are reported', (context) => {
      requireProgram(context, 'kubernetes-validate')
      const manifests = printed()
      for (const [text, instead] of [
        ['terminationGracePeriodSeconds: 60', 'terminationGraceSeconds: 60'],
        ['replicas: 1', 'replicas: one'],
      ] as const) {
        expect(manifests).toContain(text)
        expect(validated(manifests.replace(text, instead), '1.37').status).not.toBe(0)
      }
    })

    test.for(['secret.keys={}', 'secret.keys=', 'secret.keys=null'])(
      'an installation with %s has no variable that names a file of a secret',
      (keys) => {
        expect(printed(`--set=${keys}`)).not.toContain('_FILE')
        expect(printed()).toContain('TIEOUT_HASH_KEY_FILE')
      },
    )

    test.for([
      { of: 'no Temporal service', args: [], why: 'The image holds no Temporal server' },
      {
        of: 'several workers over a local lake',
        args: [TEMPORAL, '--set=replicas=3'],
        why: 'several workers need',
      },
      {
        of: 'a console without its users',
        args: [TEMPORAL, '--set=web.enabled=true'],
        why: 'config.web',
      },
    ])('helm refuses $of, with the reason', ({ args, why }) => {
      const { status, said } = helm('template', CHART, ...args)
      expect(status).not.toBe(0)
      expect(said).toContain(why)
    })
  })
}
