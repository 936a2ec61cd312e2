/**
 * Goal: the systemd units and the workflow of GitHub Actions call tieout as it is. Method: their commands, variables and
 * exit codes are looked up in docs/interface.md and in the command line itself.
 */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { commandComplaints } from './deploy-rules.ts'
import { projectFiles, readProject, ROOT } from './project-files.ts'

const INTERFACE = readProject('docs/interface.md')
const WORKFLOW = 'deploy/github-actions/nightly.yml'

/** The cells of the table rows below a heading of the page. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = INTERFACE.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return own
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}

const inCode = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
const VARIABLES = new Set(rowsBelow('Variables').flatMap(([, names]) => inCode(names)))
const EXIT_CODES = new Map(
  rowsBelow('Exit codes').flatMap(([, codes = '', meaning = '']) =>
    codes.split(', ').map((code) => [code, meaning] as const),
  ),
)
/** The actions that the page names for a command, such as `apply` of `tieout schedule`. */
const ACTIONS = new Map(
  rowsBelow('Commands').flatMap(([, commands, purpose]) =>
    inCode(commands).map((command) => [command, inCode(purpose)] as const),
  ),
)

const Setting = z.tuple([z.string(), z.string()])
/** The settings of a unit, `Environment=A=b` as `['Environment', 'A=b']`. */
const settingsOf = (unit: string): [key: string, value: string][] =>
  unit
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) =>
      Setting.parse([line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )

/** Everything in a call of tieout that the page or the command line does not know. */
function callComplaints(call: string): string[] {
  const [, words] = /\btieout (.+)$/.exec(call) ?? []
  if (words === undefined) return [`${call} does not call tieout`]
  const [name = '', ...rest] = words.split(' ')
  const actions = ACTIONS.get(`tieout ${name}`)
  const [action = '--'] = rest
  return [
    ...(actions === undefined ? [`the page has no tieout ${name}`] : []),
    ...(action.startsWith('--') || actions?.includes(action) === true
      ? []
      : [`${name} has no ${action}`]),
    ...commandComplaints([name, ...rest]),
  ]
}

const unknownVariables = (names: readonly string[]) =>
  names.filter((name) => !VARIABLES.has(name)).map((name) => `the page has no ${name}`)

function unitComplaints(unit: string): string[] {
  const settings = settingsOf(unit)
  const valuesOf = (key: string) => settings.flatMap(([name, value]) => (name === key ? value : []))
  const codes = [...valuesOf('SuccessExitStatus'), ...valuesOf('RestartPreventExitStatus')]
  return [
    ...valuesOf('ExecStart').flatMap(callComplaints),
    ...unknownVariables(valuesOf('Environment').map((pair) => pair.split('=')[0] ?? '')),
    ...codes.filter((code) => !EXIT_CODES.has(code)).map((code) => `the page has no code ${code}`),
  ]
}

const units = projectFiles('deploy/systemd')
const textOf = (name: string) => readProject(`deploy/systemd/tieout-${name}.service`)

test('the units name commands, variables and exit codes of the page', () => {
  expect(units).toHaveLength(2)
  expect(units.flatMap(({ text }) => unitComplaints(text))).toEqual([])
})

test('a stopped worker is no failure, and a wrong setting is not tried again', () => {
  const worker = settingsOf(textOf('worker'))
  expect(worker).toContainEqual(['SuccessExitStatus', '143'])
  expect(EXIT_CODES.get('143')).toMatch(/^interrupted by Ctrl-C, SIGTERM/)
  expect(EXIT_CODES.get('2')).toMatch(/^wrong usage or configuration/)
  for (const name of ['worker', 'schedule']) {
    const settings = settingsOf(textOf(name))
    expect(settings).toContainEqual(['Restart', 'on-failure'])
    expect(settings).toContainEqual(['RestartPreventExitStatus', '2'])
    expect(settings.map(([key]) => key)).toContain('RestartSec')
  }
})

const Workflow = z.looseObject({
  jobs: z.object({
    night: z.looseObject({
      env: z.record(z.string(), z.string()),
      steps: z.array(z.looseObject({ run: z.string().optional() })),
    }),
  }),
})

test('the workflow of GitHub Actions names commands and variables of the page, and secrets are secrets', () => {
  const text = readProject(WORKFLOW)
  const { env, steps } = Workflow.parse(parse(text)).jobs.night
  const calls = steps.flatMap(({ run = '' }) => (run.includes('tieout') ? [run] : []))
  expect(calls).toHaveLength(1)
  expect(calls.flatMap(callComplaints)).toEqual([])
  expect(unknownVariables(Object.keys(env))).toEqual([])
  for (const [name, value] of Object.entries(env)) {
    const isSecret = /PASSWORD|KEY|USER/.test(name)
    expect(value).toBe(`\${{ ${isSecret ? 'secrets' : 'vars'}.${name} }}`)
  }
  expect(text).toContain('exit code 1 if errors are open')
  expect(EXIT_CODES.get('1')).toContain('`--fail-on` are open')
})

test.each([
  ['the page has no tieout work', 'tieout worker', 'tieout work'],
  ['there is no command work', 'tieout worker', 'tieout work'],
  ['worker has no option --site', 'tieout worker', 'tieout worker --site x'],
  ['the page has no TIEOUT_CONF', 'TIEOUT_CONFIG', 'TIEOUT_CONF'],
  ['the page has no code 144', '143', '144'],
])('the rules report: %s', (complaint, text, instead) => {
  expect(unitComplaints(textOf('worker').replaceAll(text, instead))).toContain(complaint)
})

test('the rules report an action that the command does not have', () => {
  expect(callComplaints('/usr/bin/env tieout schedule aply')).toEqual(['schedule has no aply'])
})

const isInstalled = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0

if (!isInstalled)
  test('systemd is not installed, so that it does not read the units here', () => {})
else {
  test('systemd reads the units without a complaint', () => {
    const files = units.map(({ path }) => path)
    const of = { cwd: ROOT, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...files], of)
    const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('tieout-'))
    expect({ status, complaints }).toEqual({ status: 0, complaints: [] })
  })
}
