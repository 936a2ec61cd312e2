import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../../cli/main.ts'
import { completionScript } from '../../../cli/shell/completion-script.ts'
import { newPlace } from '../../support/built.ts'
import { tieoutHere } from '../../support/command-here.ts'
import { requireProgram } from '../../support/outside-program.ts'

const { cwd } = newPlace()
const context = {
  terminal: { print: () => {}, say: () => {}, live: () => {}, wait: () => {} },
  signal: new AbortController().signal,
  exit: () => {},
}
let program: Command
beforeAll(async () => {
  program = await createProgram(context)
  writeFileSync(join(cwd, 'tieout.bash'), completionScript(program, 'bash'))
})

/** The words that bash proposes for the last one, after the words before it. */
function proposed(...words: string[]): string[] {
  const call = `source tieout.bash; COMP_WORDS=(tieout "$@"); COMP_CWORD=$#; _tieout; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', call, 'bash', ...words], {
    cwd,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

describe('bash proposes', () => {
  test.each<[string, string[], string[]]>([
    ['commands', ['ex'], ['explain', 'exceptions']],
    ['commands after a global flag', ['--json', 'ver'], ['verify']],
    ['commands of a group', ['schedule', 'p'], ['pause']],
    ['flags of a command', ['run', '--min'], ['--min-certificate']],
    ['flags of a command of a group', ['exceptions', 'list', '--st'], ['--state']],
    ['the choices of a flag', ['run', '--min-certificate', 's'], ['snapshot']],
    ['the choices of an argument', ['completion', 'f'], ['fish']],
    ['files alone for the value of another flag', ['run', '--out', ''], []],
  ])('%s', (_, words, expected) => {
    expect(proposed(...words)).toEqual(expected)
  })

  test('the global flags at any command', () => {
    expect(proposed('exceptions', 'list', '--')).toEqual(
      expect.arrayContaining(['--config', '--account', '--lake', '--json', '--help']),
    )
  })
})

test.each(['bash', 'zsh', 'fish'] as const)('the script for %s knows every command', (shell) => {
  const script = completionScript(program, shell)
  const commands = program.commands.flatMap((group) => [group, ...group.commands])
  expect(commands.length).toBeGreaterThan(40)
  expect(commands.filter((one) => !script.includes(one.name())).map((one) => one.name())).toEqual(
    [],
  )
})

test.for(['zsh', 'fish'] as const)('%s reads its script without a complaint', (shell, context) => {
  requireProgram(context, shell)
  const file = join(cwd, `tieout.${shell}`)
  const isRead = (text: string) => {
    writeFileSync(file, text)
    return spawnSync(shell, ['-n', file], { encoding: 'utf8' })
  }
  const script = completionScript(program, shell)
  expect(isRead(script)).toMatchObject({ status: 0, stderr: '' })
  expect(isRead(`${script}\nif 'x`).status).not.toBe(0)
})

test('the command prints the script of the whole program', async () => {
  const { code, stdout, stderr } = await tieoutHere(['completion', 'bash'], newPlace())
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toBe(completionScript(program, 'bash'))
  const json = await tieoutHere(['completion', 'zsh', '--json'], newPlace())
  expect(JSON.parse(json.stdout)).toEqual({
    shell: 'zsh',
    text: completionScript(program, 'zsh'),
  })
})

test('another shell is refused with the known ones', async () => {
  const { code, stderr } = await tieoutHere(['completion', 'tcsh'], newPlace())
  expect(code).toBe(2)
  expect(stderr).toMatch(/^error usage: .*Allowed choices are bash, zsh, fish.*\n$/)
})
