import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { requireProgram } from '../support/outside-program.ts'
import { readProject, ROOT } from './project-files.ts'

const RULES = 'deploy/prometheus/rules.yml'
const SERIES = 'test/house/alert-series.yml'

function promtool(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

interface Series {
  tests: { name?: string; alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[]
}

function alertsOfRules(): string[] {
  const rules: { groups: { rules: { alert: string }[] }[] } = parse(readProject(RULES))
  return rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert)).sort()
}

test('each alert has a series that must raise it and one that must not', () => {
  const alerts = alertsOfRules()
  const { tests }: Series = parse(readProject(SERIES))
  const tried = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  const named = (isFiring: boolean) =>
    new Set(
      tried
        .filter(({ exp_alerts }) => exp_alerts.length > 0 === isFiring)
        .map(({ alertname }) => alertname),
    )
  expect([...named(true)].sort()).toEqual(alerts)
  expect([...named(false)].sort()).toEqual(alerts)
})

test('no alert fires before the first night', () => {
  const { tests }: Series = parse(readProject(SERIES))
  const tried = tests.find(({ name }) => name === 'before the first night')?.alert_rule_test ?? []
  expect(tried.map(({ alertname }) => alertname).sort()).toEqual(alertsOfRules())
  expect(tried.filter(({ exp_alerts }) => exp_alerts.length > 0)).toEqual([])
})

test('Prometheus accepts the alert rules and its own settings, and each alert fires when it must with a clear text', (context) => {
  requireProgram(context, 'promtool')
  for (const args of [
    ['check', 'rules', RULES],
    ['check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yml'],
    ['test', 'rules', SERIES],
  ]) {
    const { status, said } = promtool(...args)
    expect({ args, status, said }).toMatchObject({ status: 0 })
  }
})
