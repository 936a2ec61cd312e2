/**
 * Goal: a person at a terminal sees that a run goes on, and a log gets no control codes. Method: two nights of the real
 * program. The first writes into pipes. The second runs in a terminal, and Ctrl-C ends it in the middle of a slow sweep.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtProject, newPlace, simulate, tieout } from '../../support/built.ts'
import { surroundings } from '../../support/surroundings.ts'

const WORLD = ['--terminals', '2', '--transactions', '3000', '--from', '2026-09-10', '--days', '55']
const SLOW = ['--limit-cap', '5', '--latency-ms', '1000']
const COLUMNS = 100

const argumentsOf = (now: string) =>
  ['run', '--from', '2026-10-01', '--to', '2026-10-30', '--as-of', now] as const

const world = (now: string, more: readonly string[] = []) =>
  simulate([...WORLD, '--now', now, ...more], newPlace())

/** Runs the program in a terminal, types Ctrl-C once it has written this, and answers with all that it wrote. */
async function inTerminal(
  args: readonly string[],
  { cwd, env, until }: { cwd: string; env: Record<string, string>; until: RegExp },
): Promise<{ code: number | null; written: string }> {
  const program = join(builtProject(), 'bin', 'tieout.mjs')
  const command = `stty cols ${COLUMNS}; exec '${process.execPath}' '${program}' ${args.join(' ')}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...surroundings(), ...env, TERM: 'xterm', SHELL: '/bin/sh' },
  })
  let written = ''
  let isTyped = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
    if (isTyped || !until.test(written)) return
    isTyped = true
    child.stdin.write('\u0003')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, written }
}

/** The program writes this to take back its live line. */
const ERASE = '\r\u001b[K'

test('a terminal shows life, totals and the time left on one line, which Ctrl-C clears; a pipe gets plain lines', async () => {
  const place = newPlace()
  const first = '2026-10-29T04:15:00Z'
  const piped = await tieout(argumentsOf(first), { ...place, env: await world(first) })
  expect(piped.code, piped.stderr).toBe(0)
  const controls = Array.from(piped.stdout + piped.stderr).filter(
    (one) => one < ' ' && one !== '\n',
  )
  expect(controls).toEqual([])

  const second = '2026-10-30T04:15:00Z'
  const { code, written } = await inTerminal(argumentsOf(second), {
    cwd: place.cwd,
    env: await world(second, SLOW),
    until: / left/,
  })
  expect(code, written).toBe(130)
  const [shown = '', ...ended] = written.split('^C')
  expect(shown).toMatch(/^working \(\d+ s\)/)
  expect(shown).toMatch(
    /sweeping \w+, \d+ pages, \d+ of about [\d,]+ records, \d+ a second, about \d+ (s|min) left$/,
  )
  expect(ended.join('').startsWith(ERASE)).toBe(true)
  expect(written.endsWith('landed records are saved, and the same command continues\r\n')).toBe(
    true,
  )
  // Nothing but whole lines and a live line that is erased; the cursor is never hidden.
  expect(written.replaceAll(ERASE, '')).not.toContain('\u001b')
  const drawn = written.split(ERASE).map((text) => text.split('\r\n').at(-1) ?? '')
  expect(drawn.filter((line) => line.length >= COLUMNS)).toEqual([])
})

test('a pipe gets a whole result, however late its reader begins', () => {
  const program = join(builtProject(), 'bin', 'tieout.mjs')
  const { cwd } = newPlace()
  const shell = (command: string) =>
    execFileSync('sh', ['-c', `'${process.execPath}' '${program}' config schema ${command}`], {
      cwd,
    })
  const whole = shell(`> schema.json; cat schema.json`)
  expect(whole.length).toBeGreaterThan(65_536)
  expect(shell('| (sleep 1; cat)')).toEqual(whole)
})

test('a result that the disk has no room for is config_invalid, and never a success', () => {
  const program = join(builtProject(), 'bin', 'tieout.mjs')
  const { cwd } = newPlace()
  const full = openSync('/dev/full', 'w')
  try {
    const stdio = ['ignore', full, 'pipe'] as const
    const { status, stderr } = spawnSync(process.execPath, [program, 'config', 'schema'], {
      cwd,
      stdio: [...stdio],
    })
    expect(status).toBe(2)
    expect(String(stderr)).toMatch(
      /^error config_invalid: stdout can't be written: the disk is full \(ENOSPC\); next: make room/,
    )
  } finally {
    closeSync(full)
  }
})
