/** Goal: the Helm chart has a value for each name of its templates, and no other. Method: both are read and compared. */
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { configSchema } from '../../workers/config/config-file.ts'
import { unknownVariables } from '../../workers/config/environment-names.ts'
import { projectFiles, readProject } from './project-files.ts'

const CHART = 'deploy/helm/tieout'
const values = parse(readProject(`${CHART}/values.yaml`)) as Record<string, unknown>
const templates = projectFiles(`${CHART}/templates`).map(({ text }) => text)

/** The names of values in a template, such as `temporal.address`. */
const usedIn = (text: string): string[] =>
  [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, name]) => name ?? '')

const valueAt = (name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], values)

test('each value of a template stands in values.yaml', () => {
  const used = [...new Set(templates.flatMap(usedIn))]
  expect(used.length).toBeGreaterThan(20)
  // Keys of the config file are optional.
  const absent = used.filter((name) => valueAt(name) === undefined && name !== 'config.web')
  expect(absent).toEqual([])
})

test('each value of values.yaml is used by a template', () => {
  const used = new Set(templates.flatMap(usedIn).map((name) => name.split('.')[0]))
  expect(Object.keys(values).filter((name) => !used.has(name))).toEqual([])
})

test('the default config file is valid', () => {
  expect(configSchema.safeParse(values['config']).success).toBe(true)
})

test('each variable of the chart is one that the program knows', () => {
  const env = Object.fromEntries(
    templates
      .flatMap((text) => [...text.matchAll(/name: (TIEOUT_\w+)/g)])
      .map(([, name]) => [name ?? '', 'x']),
  )
  const secret = values['secret'] as { keys: string[] }
  for (const key of secret.keys) env[`${key}_FILE`] = 'x'
  expect(Object.keys(env).length).toBeGreaterThan(7)
  expect(unknownVariables(env, () => undefined)).toEqual([])
})

test('the chart has the version of the package', () => {
  const { version } = JSON.parse(readProject('package.json')) as { version: string }
  const chart = parse(readProject(`${CHART}/Chart.yaml`)) as Record<string, string>
  expect([chart['version'], chart['appVersion']]).toEqual([version, version])
})
