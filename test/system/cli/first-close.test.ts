import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtProject, newPlace } from '../../support/built.ts'
import { ROOT } from '../../house/project-files.ts'
import { surroundings } from '../../support/surroundings.ts'
import {
  agrees,
  normalized,
  shortened,
  stepsIn,
  withAnswers,
  type Step,
} from '../../support/tutorial.ts'

const PAGE = join(ROOT, 'docs', 'first-close.md')
const { cwd } = newPlace()
const env: Record<string, string> = {}

/** `tieout` of an installed package, as a function of the shell. */
const TIEOUT = `tieout() { '${process.execPath}' '${join(builtProject(), 'bin', 'tieout.mjs')}' "$@"; }`

/** Runs the commands of a step; its exports hold for the next ones. */
function ran({ commands }: Step): { code: number | null; answer: string } {
  for (const [, name = '', value = ''] of commands.matchAll(/^export (\w+)="?([^"\n]*)"?$/gm)) {
    env[name] = value
  }
  const ended = spawnSync('bash', ['-c', `${TIEOUT}\n${commands}`], {
    ...{ cwd, encoding: 'utf8', maxBuffer: 1e8 },
    env: { ...surroundings(), ...env },
  })
  // The steps of work that a terminal shows while it waits are no part of the answer.
  const errors = ended.stderr.split('\n').filter((line) => /^error |^\d+ exceptions in /.test(line))
  const said = `${ended.stdout}${errors.map((line) => `${line}\n`).join('')}`
  return { code: ended.status, answer: normalized(said, cwd) }
}

/** Fills the cells that a person fills into each row of the exported file. */
function fill(file: string, cells: Step['filled']): void {
  const path = join(cwd, file)
  const [head = '', ...rows] = readFileSync(path, 'utf8').trimEnd().split('\r\n')
  const names = head.split(',')
  const empty = names.length - names.indexOf('decision')
  const end = names.slice(-empty).map((name) => cells[name] ?? '')
  const filled = rows.map((row) => row.slice(0, 1 - empty) + end.join(','))
  writeFileSync(path, [head, ...filled, ''].join('\r\n'))
}

test('each command of docs/first-close.md ends and answers as the page says', () => {
  const page = readFileSync(PAGE, 'utf8')
  const steps = stepsIn(page)
  expect(steps.length).toBeGreaterThan(15)
  const answers: string[] = []
  for (const step of steps) {
    const file = / apply (\S+)/.exec(step.commands)?.[1]
    if (file !== undefined) fill(file, step.filled)
    const { code, answer } = ran(step)
    expect(`${step.commands}${code}: ${code === step.exitCode ? '' : answer}`).toBe(
      `${step.commands}${step.exitCode}: `,
    )
    answers.push(shortened(step.answer ?? '', answer))
    if (process.env['WRITE_EXAMPLES'] === '1') continue
    if (step.answer !== undefined && !agrees(step.answer, answer)) expect(answer).toBe(step.answer)
  }
  if (process.env['WRITE_EXAMPLES'] === '1') writeFileSync(PAGE, withAnswers(page, answers))

  // Gathered by day, a month is at most ten lines for each of 31 days, and Xero takes 300 lines.
  const files = readdirSync(join(cwd, 'out', 'demo', 'demo', 'latest', 'accounting'))
  const programs = new Map<string, number>()
  for (const name of files.filter((one) => /\.(csv|iif)$/.test(one) && one !== 'journal.csv')) {
    const program = name.replace(/(-\d+)?\.\w+$/, '')
    programs.set(program, (programs.get(program) ?? 0) + 1)
  }
  expect(programs.size).toBe(6)
  expect(Math.max(...programs.values())).toBeLessThanOrEqual(2)
})
