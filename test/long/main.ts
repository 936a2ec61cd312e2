/**
 * Runs the proofs that take too long for each change, and writes their dated results into docs/scoreboard.md. Run as
 * `npm run test:long`, or with `-- --only NAME` for the proofs whose name contains NAME. Ends with 1 if one failed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../house/project-files.ts'
import { PROOFS, type Proof } from './proofs.ts'
import { withRow } from './scoreboard.ts'

const PAGE = join(ROOT, 'docs/scoreboard.md')

/** Runs the proofs that the arguments name; 1 when one failed. */
export async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, seed: { type: 'string' } } })
  const { only = '' } = values
  const chosen = PROOFS.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) {
    console.error(
      `no proof is named ${only}; there are: ${PROOFS.map(({ name }) => name).join(', ')}`,
    )
    return 2
  }
  let failures = 0
  for (const proof of chosen) {
    // A fresh seed finds what the seeds of before did not. The page names it, so that anyone can repeat the run.
    const command = proof.command(Number(values.seed ?? randomInt(1_000_000_000)))
    console.log(`\n${proof.name}: ${command.join(' ')}`)
    const { code, output } = await run(command)
    if (code !== 0) failures += 1
    write(proof, command, code === 0 ? proof.result(output) : `failed with exit ${code}`)
  }
  return failures === 0 ? 0 : 1
}

async function run([program = '', ...args]: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

function write({ name, shows }: Proof, command: string[], result: string): void {
  const cells = [name, shows, result, `\`${command.join(' ')}\``, commit(), today()]
  writeFileSync(PAGE, withRow(readFileSync(PAGE, 'utf8'), cells))
}

const today = () => new Date().toISOString().slice(0, 10)

/** The commit that ran. A plus sign says that the files had changes which no commit has; the page itself is none. */
function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('docs/scoreboard.md'))
  return git('rev-parse', '--short', 'HEAD') + (changed.length > 0 ? '+' : '')
}
