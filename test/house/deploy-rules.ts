/**
 * Goal: docker-compose.yml, the Dockerfile and .dockerignore describe a safe installation that works. Method: each
 * rule answers with its complaints.
 */
import { loadClientConnectConfig } from '@temporalio/envconfig'
import { existsSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { z } from 'zod'
import { createProgram } from '../../cli/main.ts'
import { openTerminal } from '../../cli/shell/terminal.ts'
import { Failure } from '../../domain/failure.ts'
import { readSettings } from '../../workers/config/settings.ts'
import { projectFiles, ROOT } from './project-files.ts'

const words = z.array(z.string())
const restart = z.string().regex(/^(no|always|unless-stopped|on-failure(:\d+)?)$/)
const duration = z.string().regex(/^\d+[smh]$/)
const Dependency = z.strictObject({
  condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']),
  restart: z.boolean().optional(),
})
const Service = z.strictObject({
  image: z.string(),
  build: z.string().optional(),
  profiles: words.optional(),
  restart,
  mem_limit: z
    .string()
    .regex(/^\d+[mg]$/)
    .optional(),
  pids_limit: z.number().int().positive().optional(),
  logging: z
    .strictObject({
      driver: z.literal('json-file'),
      options: z.strictObject({ 'max-size': z.string(), 'max-file': z.string() }),
    })
    .optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  init: z.boolean().optional(),
  tmpfs: words.optional(),
  cap_drop: words.optional(),
  cap_add: words.optional(),
  security_opt: words.optional(),
  stop_grace_period: duration.optional(),
  network_mode: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: words.default([]),
  volumes: words.default([]),
  ports: words.default([]),
  depends_on: z.record(z.string(), Dependency).default({}),
  entrypoint: words.optional(),
  command: words.optional(),
  healthcheck: z
    .strictObject({
      test: words,
      interval: duration,
      timeout: duration,
      retries: z.number().int().positive(),
      start_period: duration,
    })
    .optional(),
})
type Service = z.infer<typeof Service>

/** The part of the compose specification that the project uses. `x-` keys hold settings that several services share. */
export const Compose = z
  .object({
    name: z.string(),
    services: z.record(z.string(), Service),
    secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
    volumes: z.record(z.string(), z.strictObject({})),
  })
  .catchall(z.unknown())
  .refine(
    (file) =>
      Object.keys(file).every((key) => /^(name|services|secrets|volumes|x-[a-z]+)$/.test(key)),
    'an unknown key at the top',
  )
export type Compose = z.infer<typeof Compose>

/** Replaces `${NAME:-default}` and `${NAME:?why}` as compose does, and `$$` by one `$`. Throws what is not set. */
export function interpolated(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}|\$/g,
    (whole, name?: string, kind?: string, rest?: string) => {
      if (whole === '$$') return '$'
      if (name === undefined) throw new Error(`a lone $ in ${text.slice(0, 40)}`)
      const given = env[name] ?? ''
      if (given !== '') return given
      if (kind === '-') return rest ?? ''
      throw new Error(`${name} is not set`)
    },
  )
}

const Raw = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({ environment: z.record(z.string(), z.string().nullable()).optional() }),
  ),
})

/** Gives a variable without a value the one of the environment, as compose does, or leaves it out. */
export function passedOn(compose: unknown, env: Readonly<Record<string, string>>): unknown {
  const { services, ...rest } = Raw.parse(compose)
  const valueOf = (name: string, value: string | null) => value ?? env[name] ?? ''
  const filled = Object.entries(services).map(([name, { environment, ...service }]) => {
    if (environment === undefined) return [name, service]
    const given = Object.entries(environment).filter(
      ([variable, value]) => value !== null || valueOf(variable, value) !== '',
    )
    const values = given.map(([variable, value]) => [variable, valueOf(variable, value)])
    return [name, { ...service, environment: Object.fromEntries(values) }]
  })
  return { ...rest, services: Object.fromEntries(filled) }
}

/** The lines `NAME=value` of an env file. */
export const envFile = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const PINNED = /^[a-z0-9][a-z0-9./-]*:v?\d+\.\d+(\.\d+)?(-[a-z0-9.]+)*$/
const SECRET_NAME = /PASSWORD|PWD|SECRET|KEY|TOKEN/
const COMPLETED = 'service_completed_successfully'

/** Programs that the images hold and a health check may call; there is no shell or curl to count on. */
const TOOLS: Record<string, readonly string[]> = {
  postgres: ['pg_isready'],
  'temporalio/server': ['nc'],
  tieout: ['node'],
  'versity/versitygw': ['wget'],
  'prom/prometheus': ['wget'],
}

const isOurs = (service: Service) => service.build !== undefined
const there = (path: string) => existsSync(join(ROOT, path))

/** Everything that is wrong with the services, each as `service: what`. */
export function serviceComplaints(compose: Compose): string[] {
  return Object.entries(compose.services).flatMap(([name, service]) =>
    [
      ...imageComplaints(service),
      ...placeComplaints(compose, service),
      ...secretComplaints(compose, service),
      ...dependencyComplaints(compose, service),
      ...privilegeComplaints(name, service),
      ...limitComplaints(service),
      ...(isOurs(service) ? commandComplaints(service.command ?? ['worker']) : []),
    ].map((what) => `${name}: ${what}`),
  )
}

function imageComplaints({ image, healthcheck }: Service): string[] {
  const complaints = PINNED.test(image) ? [] : [`image ${image} is not pinned`]
  if (healthcheck === undefined) return complaints
  const [kind, program = ''] = healthcheck.test
  const tools = TOOLS[image.slice(0, image.lastIndexOf(':'))] ?? []
  if (kind === 'CMD' && tools.includes(program)) return complaints
  return [...complaints, `the health check calls ${kind} ${program}, which the image may not hold`]
}

function placeComplaints(compose: Compose, { build, volumes, ports }: Service): string[] {
  const context = build === undefined || there(join(build, 'Dockerfile'))
  return [
    ...(context ? [] : [`there is no Dockerfile in ${build}`]),
    ...ports
      .filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port))
      .map((port) => `port ${port} is not on the loopback address alone`),
    ...volumes.flatMap((volume) => {
      const [source = '', target = '', mode] = volume.split(':')
      const bound = source.startsWith('.')
      // A place of the container's own, which no other shares.
      if (source.startsWith('/') && target === '') return []
      if (!target.startsWith('/')) return [`volume ${volume} has no place in the container`]
      if (bound && !there(source)) return [`${source} is not in the project`]
      if (bound && mode !== 'ro') return [`${source} is not mounted read-only`]
      return bound || Object.hasOwn(compose.volumes, source) ? [] : [`there is no volume ${source}`]
    }),
  ]
}

function secretComplaints(compose: Compose, service: Service): string[] {
  const { environment, secrets, entrypoint = [], command = [] } = service
  const texts = [...Object.values(environment), ...entrypoint, ...command]
  const read = texts.flatMap((text) =>
    [...text.matchAll(/\/run\/secrets\/([\w-]+)/g)].map(([, name = '']) => name),
  )
  return [
    ...Object.keys(environment)
      .filter((name) => SECRET_NAME.test(name) && !name.endsWith('_FILE'))
      .map((name) => `${name} would hold a secret in the environment`),
    ...read.filter((name) => !secrets.includes(name)).map((name) => `${name} is not granted`),
    ...secrets.filter((name) => !read.includes(name)).map((name) => `${name} is not read`),
    ...secrets
      .filter((name) => !Object.hasOwn(compose.secrets, name))
      .map((name) => `there is no secret ${name}`),
  ]
}

function dependencyComplaints(compose: Compose, { depends_on, network_mode }: Service): string[] {
  const shared = network_mode?.startsWith('service:') === true ? network_mode.slice(8) : undefined
  return [
    ...(shared === undefined || Object.hasOwn(depends_on, shared)
      ? []
      : [`shares the network of ${shared} without waiting for it`]),
    ...Object.entries(depends_on).flatMap(([name, { condition }]) => {
      const other = compose.services[name]
      if (other === undefined) return [`waits for ${name}, which is no service`]
      if (condition === 'service_healthy' && other.healthcheck === undefined) {
        return [`waits for the health of ${name}, which has no check`]
      }
      const ends = other.restart === 'no' || other.restart.startsWith('on-failure')
      return condition === COMPLETED && !ends
        ? [`waits for the end of ${name}, which is always started again`]
        : []
    }),
  ]
}

/** A log that grows without end fills the disk of the lake, and a container without a limit takes all memory. */
function limitComplaints({ logging, mem_limit, restart: when }: Service): string[] {
  return [
    ...(logging === undefined ? ['has a log without a limit'] : []),
    ...(mem_limit === undefined && when === 'unless-stopped' ? ['has no limit of memory'] : []),
  ]
}

function privilegeComplaints(name: string, service: Service): string[] {
  const { user = 'root', cap_drop = [], security_opt = [] } = service
  const root = /^(root|0)(:|$)/.test(user)
  // PostgreSQL's image begins as root, takes its folder over and goes on as postgres.
  if (name === 'db') return []
  return [
    ...(cap_drop.includes('ALL') ? [] : ['keeps capabilities']),
    ...(security_opt.includes('no-new-privileges:true') ? [] : ['may gain privileges']),
    ...(isOurs(service) && root ? ['runs as root'] : []),
    ...(isOurs(service) && service.read_only !== true ? ['has a writable file system'] : []),
  ]
}

const program = await createProgram({
  terminal: openTerminal(),
  signal: new AbortController().signal,
  exit: () => {},
})

/** Looks the command and its options up in the command line itself. */
export function commandComplaints([name = '', ...rest]: readonly string[]): string[] {
  const command = program.commands.find((candidate) => candidate.name() === name)
  if (command === undefined) return [`there is no command ${name}`]
  const known = [...command.options, ...program.options].map((option) => option.long)
  return rest
    .filter((word) => word.startsWith('--') && !known.includes(word))
    .map((word) => `${name} has no option ${word}`)
}

export interface Container {
  /** Set by the image. */
  image: Readonly<Record<string, string>>
  /** The paths of the compose file's secrets on this machine, by name. */
  secretFiles: Readonly<Record<string, string>>
}

/**
 * Reads the settings from a service's environment and complains of unread names, refused values and data that would
 * be lost.
 */
export function settingsComplaints(service: Service, { image, secretFiles }: Container): string[] {
  const asked = new Set<string>()
  const env = Object.fromEntries(
    Object.entries({ ...image, ...service.environment }).map(([name, value]) => {
      const secret = /^\/run\/secrets\/([\w-]+)$/.exec(value)?.[1]
      return [name, secret === undefined ? value : (secretFiles[secret] ?? value)]
    }),
  )
  const heard = new Proxy(env, {
    get: (target, name) => (asked.add(String(name)), target[String(name)]),
    // A program that only lists all names reads none of them.
    ownKeys: () => [],
  })
  try {
    const settings = readSettings({}, 'source', heard)
    const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: heard })
    for (const name of namesInCode()) asked.add(name)
    return [
      ...Object.keys(service.environment)
        .filter((name) => !asked.has(name))
        .map((name) => `${name} is read by nobody`),
      ...(connectionOptions.address === undefined ? ['no Temporal service is configured'] : []),
      ...(namespace === undefined ? ['no namespace is configured'] : []),
      ...[inImage(settings.lake.folder), settings.out]
        .filter(
          (folder) =>
            !service.volumes.some((volume) => (volume.split(':')[1] ?? volume) === folder),
        )
        .map((folder) => `${folder} is in no volume`),
    ]
  } catch (error) {
    if (error instanceof Failure) return [`${error.code}: ${error.message}`]
    throw error
  }
}

/** The image has the project in /app, and is run from there. */
const inImage = (folder: string) => {
  const inside = relative(ROOT, folder)
  return inside.startsWith('..') ? folder : join('/app', inside)
}

/** Variables that are read outside of the settings. */
const namesInCode = () =>
  ['api', 'cli', 'lake', 'workers'].flatMap((folder) =>
    projectFiles(folder).flatMap(({ text }) =>
      [...text.matchAll(/(?:process\.env\[|\bvariable\()'(\w+)'[\])]/g)].map(([, name = '']) =>
        name.toUpperCase(),
      ),
    ),
  )

/** True where .dockerignore keeps a path out of the image; the last pattern that fits decides. */
export function isIgnored(dockerignore: string, path: string): boolean {
  const parts = path.split('/')
  const parents = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  let ignored = false
  for (const line of dockerignore.split('\n').filter((text) => /^[^#\s]/.test(text))) {
    const pattern = line.replace(/^!/, '')
    const fits = new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')}$`)
    if (parents.some((parent) => fits.test(parent))) ignored = !line.startsWith('!')
  }
  return ignored
}

export interface Instruction {
  name: string
  rest: string
}

/** The instructions of a Dockerfile, with their continued lines joined. */
export const instructions = (dockerfile: string): Instruction[] =>
  dockerfile
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => ({
      name: line.slice(0, line.indexOf(' ')),
      rest: line.slice(line.indexOf(' ') + 1).trim(),
    }))

/** The build makes these folders. Everything else that is copied must be in the project. */
const MADE = new Set(['node_modules', 'dist', '.cache'])
const NEEDED = ['package.json', 'node_modules', '.cache', 'bin', 'sql', 'dist']

/** Everything that is wrong with the image's recipe. */
export function imageRecipeComplaints(dockerfile: string, dockerignore: string): string[] {
  const all = instructions(dockerfile)
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
  const restOf = (name: string) => last.findLast((one) => one.name === name)?.rest ?? ''
  const [, entry = ''] = [...restOf('ENTRYPOINT').matchAll(/"([^"]+)"/g)].map(([, word]) => word)
  const copied = last
    .filter(({ name, rest }) => name === 'COPY' && rest.startsWith('--from='))
    .map(({ rest }) => normalize(rest.split(' ')[1] ?? '').replace(/^\/app\//, ''))
  return [
    ...all
      .filter(
        ({ name, rest }) =>
          name === 'FROM' && !/^node:24\.\d+\.\d+-bookworm-slim( AS \w+)?$/.test(rest),
      )
      .map(({ rest }) => `the base ${rest} is not a pinned Node 24 on glibc`),
    ...all.flatMap(({ name, rest }) =>
      name === 'COPY' ? sourceComplaints(rest, dockerignore) : [],
    ),
    ...NEEDED.filter((path) => !copied.includes(path)).map((path) => `${path} is not in the image`),
    ...copied
      .filter((path, at) => copied.indexOf(path) !== at)
      .map((path) => `${path} is copied twice`),
    ...(/^(|root|0)$/.test(restOf('USER')) ? ['the image runs as root'] : []),
    ...(there(entry) && entry !== '' ? [] : [`the entry ${entry} is not in the project`]),
    ...commandComplaints([...restOf('CMD').matchAll(/"([^"]+)"/g)].map(([, word = '']) => word)),
  ]
}

function sourceComplaints(copy: string, dockerignore: string): string[] {
  const sources = copy
    .split(' ')
    .slice(0, -1)
    .filter((word) => !word.startsWith('--'))
  const made = copy.startsWith('--from=')
  return sources.flatMap((source) => {
    const path = made ? source.replace(/^\/app\//, '') : source
    if (made && MADE.has(path)) return []
    if (!there(path)) return [`${path} is copied and not in the project`]
    return !made && path !== '.' && isIgnored(dockerignore, path)
      ? [`${path} is copied and kept out by .dockerignore`]
      : []
  })
}
